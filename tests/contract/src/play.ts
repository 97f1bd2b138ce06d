// Usage: play.js BANZUKE DOCUMENT HASAMI YONIN. Two devices play a rated game on a server of our own, and
// four another, with nothing but the client that is generated from openapi.yaml. DOCUMENT is the same as
// JSON; the games are the engine's test data.
import { checkGame, checkRanking, checkRating } from "./after.js";
import { connect, good } from "./client.js";
import { Contract } from "./document.js";
import { Fault, expect, same } from "./fault.js";
import { playFour, readFourScript } from "./four.js";
import { pair, play, Player, readScript, tryWrongMoves } from "./game.js";
import { Server } from "./server.js";

async function register(origin: string, contract: Contract, name: string): Promise<Player> {
  const stranger = connect(origin, contract.middleware);
  const made = await good("a device", 201, stranger.POST("/v1/devices", { body: { name } }));
  same(made.player.name, name, "the name of a new player");
  return new Player(made.player.id, name, connect(origin, contract.middleware, made.token));
}

async function run(
  origin: string,
  contract: Contract,
  games: string,
  fourGames: string,
): Promise<string> {
  const script = readScript(games);
  const reader = connect(origin, contract.middleware);
  const first = await register(origin, contract, "Akiko");
  const second = await register(origin, contract, "Boris");
  const match = await pair(first, second);
  await tryWrongMoves(match);
  const result = await play(match, script);
  await checkGame(reader, match, script, result);
  await checkRating(reader, match, result);
  await checkRanking(reader, match, result);
  const players = [];
  for (const name of ["Emiko", "Fumio", "Goran", "Hanna"]) {
    players.push(await register(origin, contract, name));
  }
  const four = await playFour(reader, players, readFourScript(fourGames));
  const used = contract.operations.size;
  return `${script.moves.length} plies to ${result.reason}, ${four}, ${used} operations used`;
}

async function main(): Promise<void> {
  const [binary, document, games, fourGames] = process.argv.slice(2);
  expect(binary !== undefined && document !== undefined, "four arguments");
  expect(games !== undefined && fourGames !== undefined, "four arguments");
  const contract = new Contract(document);
  const server = await Server.start(binary);
  const said = await run(server.origin, contract, games, fourGames);
  await server.stop();
  console.log(`contract: ${said}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Fault ? `contract: ${error.message}` : error);
  process.exit(1);
});

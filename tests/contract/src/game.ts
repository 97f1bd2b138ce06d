import { readFileSync } from "node:fs";
import { good, refused, type Api, type Schemas } from "./client.js";
import { expect, same } from "./fault.js";

type Seat = Schemas["SeatKey"];
type HasamiSeat = Extract<Seat, "b" | "w">;

// A game of the engine's test data: what every move must lead to, and how it ends.
export type Script = {
  moves: string[];
  positions: string[];
  end: { reason: string; ranks: number[] };
};

type Line = {
  options: object;
  start?: string;
  moves: string[];
  positions: string[];
  eliminations?: Schemas["Elimination"][];
  end: Script["end"] | null;
};

// The games by the default rules from the start.
export function readScripts(file: string): Line[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines
    .map((text) => JSON.parse(text) as Line)
    .filter((line) => line.start === undefined && Object.keys(line.options).length === 0);
}

// The first whole one that somebody wins by capture.
export function readScript(file: string): Script {
  for (const line of readScripts(file)) {
    if (line.end?.reason === "capture") return { ...line, end: line.end };
  }
  throw new Error(`${file} has no such game`);
}

export class Player {
  constructor(
    readonly id: string,
    readonly name: string,
    readonly api: Api,
  ) {}
}

export type Match = { id: string; seats: Record<HasamiSeat, Player> };

export const move = (player: Player, id: string, ply: number, text: string) =>
  player.api.POST("/v1/games/{id}/moves", {
    params: { path: { id } },
    body: { ply, move: text },
  });

// All of them queue, and wait for each other.
export async function queue(
  pool: Schemas["Pool"],
  players: Player[],
): Promise<{ id: string; seats: Partial<Record<Seat, Player>> }> {
  const tickets = [];
  for (const player of players) {
    const ticket = await good(
      "a ticket",
      201,
      player.api.POST("/v1/tickets", { body: { pool, turn_seconds: 60 } }),
    );
    same(ticket.status, "waiting", "a new ticket");
    tickets.push({ player, id: ticket.id });
  }
  const seats: Partial<Record<Seat, Player>> = {};
  const games = new Set<string>();
  for (const { player, id } of tickets) {
    const params = { path: { id }, query: { wait: 10 } };
    const ticket = await good("the ticket", 200, player.api.GET("/v1/tickets/{id}", { params }));
    same(ticket.status, "matched", `the ticket of ${player.name}`);
    expect(ticket.game_id !== null && ticket.seat !== null, "a matched ticket names game and seat");
    seats[ticket.seat] = player;
    games.add(ticket.game_id);
  }
  const [game, ...others] = games;
  expect(game !== undefined && others.length === 0, "the tickets name two games");
  return { id: game, seats };
}

export async function pair(first: Player, second: Player): Promise<Match> {
  const { id, seats } = await queue("hasami", [first, second]);
  expect(seats.b !== undefined && seats.w !== undefined, "both have the same seat");
  return { id, seats: { b: seats.b, w: seats.w } };
}

// Refusals of moves, with what they say about the game.
export async function tryWrongMoves({ id, seats }: Match): Promise<void> {
  const early = await refused("a move out of turn", "not-your-turn", move(seats.w, id, 1, "5a5b"));
  same(early.current, { status: "playing", ply: 0, turn: "b" }, "current");
  const blocked = await refused("a jump", "illegal-move", move(seats.b, id, 1, "5i4i"));
  same([blocked.reason, blocked.squares], ["own-piece", ["4i"]], "reason and squares");
  await refused("a later ply", "stale-ply", move(seats.b, id, 2, "5i5e"));
}

async function playPly(match: Match, script: Script, ply: number): Promise<Schemas["MoveAnswer"]> {
  const { id, seats } = match;
  const turn: HasamiSeat = ply % 2 === 1 ? "b" : "w";
  const [text, position] = [script.moves[ply - 1], script.positions[ply - 1]];
  expect(text !== undefined && position !== undefined, `the script has no ply ${ply}`);
  const params = { path: { id }, query: { include: "legal_moves" as const } };
  const game = await good("the game", 200, seats[turn].api.GET("/v1/games/{id}", { params }));
  same([game.status, game.next_ply, game.turn], ["playing", ply, turn], `before ply ${ply}`);
  expect(
    game.legal_moves?.includes(text) === true,
    `ply ${ply}: ${text} is not among the legal moves`,
  );
  const made = await good(`ply ${ply}`, 201, move(seats[turn], id, ply, text));
  same([made.move.ply, made.move.seat, made.move.move], [ply, turn, text], `ply ${ply}`);
  same(made.game.position, position, `the position after ply ${ply}`);
  const again = await good(`ply ${ply} again`, 200, move(seats[turn], id, ply, text));
  same(again, made, `ply ${ply} again`);
  return made;
}

// From the first move to the end that the script tells of.
export async function play(match: Match, script: Script): Promise<Schemas["Result"]> {
  let last: Schemas["MoveAnswer"] | undefined;
  for (let ply = 1; ply <= script.moves.length; ply++) {
    expect(last === undefined || last.game.result === null, `the game has ended before ply ${ply}`);
    last = await playPly(match, script, ply);
  }
  const result = last?.game.result ?? null;
  expect(result !== null, "the game has not ended");
  same([result.reason, result.ranks], [script.end.reason, script.end.ranks], "the result");
  const { b } = match.seats;
  const over = script.moves.length + 1;
  await refused("a move after the end", "game-over", move(b, match.id, over, "5i5e"));
  return result;
}

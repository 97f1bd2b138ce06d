import { good, refused, type Api, type Schemas } from "./client.js";
import { expect, same } from "./fault.js";
import { move, queue, readScripts, type Player } from "./game.js";

// Four-player shogi, everybody alone. Who is on turn is what the answers say: checks change the order.

type FourSeat = Extract<Schemas["SeatKey"], "s" | "w" | "n" | "e">;
type Four = { id: string; seats: Record<FourSeat, Player> };
type Fallen = Schemas["Elimination"];

const order: FourSeat[] = ["s", "w", "n", "e"];

// A game of the engine's test data with the mates in it.
export type FourScript = {
  moves: string[];
  positions: string[];
  eliminations: Fallen[];
  end: { reason: string; ranks: number[] };
};

// The shortest whole game by the default rules that mates end.
export function readFourScript(file: string): FourScript {
  const [shortest] = readScripts(file)
    .flatMap(({ eliminations, end, ...script }) =>
      end?.reason !== "mates" || eliminations === undefined
        ? []
        : [{ ...script, eliminations, end }],
    )
    .sort((a, b) => a.moves.length - b.moves.length);
  expect(shortest !== undefined, `${file} has no such game`);
  return shortest;
}

async function seat(players: Player[]): Promise<Four> {
  const [first] = players;
  expect(first !== undefined, "nobody plays");
  const body = { pool: "yonin" as const, partner: first.id };
  const partner = await refused(
    "a partner where everybody is alone",
    "invalid-field",
    first.api.POST("/v1/tickets", { body }),
  );
  same(
    partner.errors,
    [{ pointer: "/partner", reason: "no-partners-in-this-pool" }],
    "what is wrong with a partner",
  );
  const { id, seats } = await queue("yonin", players);
  const { s, w, n, e } = seats;
  expect(
    s !== undefined && w !== undefined && n !== undefined && e !== undefined,
    "two have the same seat",
  );
  return { id, seats: { s, w, n, e } };
}

async function tryWrongMoves({ id, seats }: Four): Promise<void> {
  const early = await refused("a move out of turn", "not-your-turn", move(seats.n, id, 1, "5c5d"));
  same(early.current, { status: "playing", ply: 0, turn: "s" }, "current");
  const far = await refused("a pawn too far", "illegal-move", move(seats.s, id, 1, "5g5d"));
  same(far.reason, "bad-geometry", "the reason of a pawn too far");
  const none = await refused("a drop of nothing", "illegal-move", move(seats.s, id, 1, "P*5e"));
  same(none.reason, "not-in-hand", "the reason of a drop of nothing");
  const params = { path: { id } };
  await refused(
    "a resignation",
    "resign-not-allowed",
    seats.s.api.POST("/v1/games/{id}/resign", { params }),
  );
}

// The snapshot that anybody sees says the same as the answer to the move.
async function checkSnapshot(api: Api, id: string, made: Schemas["MoveAnswer"]): Promise<void> {
  const params = { path: { id } };
  const game = await good("the game", 200, api.GET("/v1/games/{id}", { params }));
  same([game.ply, game.turn], [made.game.ply, made.game.turn], "the ply and the turn");
  same(game.position, made.game.position, "the position");
  const shown = (seats: Schemas["MoveAnswer"]["game"]["seats"]) =>
    seats.map(({ seat, alive, pieces, captured, mates, hand }) => [
      [seat, alive, pieces, captured, mates],
      hand,
    ]);
  same(shown(game.seats), shown(made.game.seats), "the seats");
  for (const { seat, hand, captured } of game.seats) {
    const held = Object.values(hand).reduce((sum, count) => sum + count, 0);
    same(held, captured, `the hand of ${seat}`);
  }
}

async function playScript(four: Four, script: FourScript, api: Api): Promise<Schemas["Result"]> {
  let turn: Schemas["Turn"] = "s";
  let last: Schemas["MoveAnswer"] | undefined;
  const fallen: Fallen[] = [];
  const held = new Set<string>();
  for (const [index, text] of script.moves.entries()) {
    const player: Player | undefined = order.includes(turn as FourSeat)
      ? four.seats[turn as FourSeat]
      : undefined;
    expect(player !== undefined, `nobody is on turn before ply ${index + 1}`);
    last = await good(`ply ${index + 1}`, 201, move(player, four.id, index + 1, text));
    same(last.game.position, script.positions[index], `the position after ply ${index + 1}`);
    fallen.push(...last.eliminations);
    last.game.seats.flatMap(({ hand }) => Object.keys(hand)).forEach((kind) => held.add(kind));
    await checkSnapshot(api, four.id, last);
    turn = last.game.turn;
  }
  same(fallen, script.eliminations, "the mates");
  expect(held.size > 0, "nobody has ever had a piece in hand");
  const result = last?.game.result ?? null;
  expect(result !== null, "the game has not ended");
  same([result.reason, result.ranks], [script.end.reason, script.end.ranks], "the result");
  return result;
}

// Three opponents each, and as many places in the list as seats.
async function checkRating(api: Api, four: Four, result: Schemas["Result"]): Promise<void> {
  const params = { path: { id: four.id } };
  const rating = await good("the rating", 200, api.GET("/v1/games/{id}/rating", { params }));
  same(
    rating.seats.map((seat) => [seat.seat, seat.against.length]),
    order.map((seat) => [seat, 3]),
    "the seats of the rating",
  );
  rating.seats.forEach((seat, index) => {
    const summands = seat.against.map((against) => against.points ?? 0);
    const sum = Math.round(summands.reduce((a, b) => a + b, 0) * 1000) / 1000;
    same([seat.delta, result.ratings[index]?.delta], [sum, sum], `${seat.seat}: delta`);
  });
  const path = { pool: "yonin" as const };
  const query = { provisional: true };
  const list = await good(
    "the list",
    200,
    api.GET("/v1/rankings/{pool}", { params: { path, query } }),
  );
  same(
    list.items.map((row) => [row.player.id, row.places]),
    (result.ranks ?? [])
      .map((rank, index) => ({ rank, player: four.seats[order[index] ?? "s"] }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ rank, player }) => [player.id, [1, 2, 3, 4].map((place) => +(place === rank))]),
    "the list of provisional players",
  );
}

async function checkRecord(api: Api, four: Four, script: FourScript): Promise<void> {
  const params = { path: { id: four.id } };
  const record = await good("the record", 200, api.GET("/v1/games/{id}/record", { params }));
  expect(typeof record === "object" && "moves" in record, "the record is no JSON");
  same(
    [record.seats.map((seat) => seat.seat), record.eliminations, record.places],
    [order, script.eliminations, script.end.ranks],
    "the record",
  );
  const body = { op: "play" as const, game: "yonin" as const, moves: script.moves };
  const answer = await good("the rules", 200, api.POST("/v1/validate", { body }));
  expect("positions" in answer, "the rules refuse the game");
  same([answer.eliminations, answer.end], [script.eliminations, script.end], "the rules");
}

// From the queue to the ranking; what came of it, in words.
export async function playFour(
  api: Api,
  players: Player[],
  script: FourScript,
): Promise<string> {
  const four = await seat(players);
  await tryWrongMoves(four);
  const result = await playScript(four, script, api);
  await checkRating(api, four, result);
  await checkRecord(api, four, script);
  return `${script.moves.length} plies of four to ${result.reason}`;
}

import { good, type Api, type Schemas } from "./client.js";
import { expect, same } from "./fault.js";
import type { Match, Player, Script } from "./game.js";

// Everything that can be read of a game once it has ended, by somebody without a token.

export async function checkGame(
  api: Api,
  match: Match,
  script: Script,
  result: Schemas["Result"],
): Promise<void> {
  const params = { path: { id: match.id } };
  const game = await good("the game", 200, api.GET("/v1/games/{id}", { params }));
  same([game.status, game.turn, game.next_ply], ["finished", null, null], "the ended game");
  same(game.result, result, "the result of the game");
  const query = { limit: 100 };
  const moves = await good(
    "the moves",
    200,
    api.GET("/v1/games/{id}/moves", { params: { ...params, query } }),
  );
  same(
    moves.items.map((one) => one.move),
    script.moves.slice(0, 100),
    "the moves",
  );
  const record = await good("the record", 200, api.GET("/v1/games/{id}/record", { params }));
  expect(typeof record === "object" && "moves" in record, "the record is no JSON");
  same(
    record.moves.map((one) => one.move),
    script.moves,
    "the moves of the record",
  );
  const body = { op: "play" as const, game: "hasami" as const, moves: script.moves };
  const answer = await good("the rules", 200, api.POST("/v1/validate", { body }));
  expect("positions" in answer, "the rules refuse the game");
  same([answer.positions, answer.end], [script.positions, script.end], "the rules");
  const feed = await good(
    "the results",
    200,
    api.GET("/v1/results", { params: { query: { after: 0 } } }),
  );
  same(
    feed.items.map((item) => [item.type, item.game.id]),
    [["finished", match.id]],
    "the results",
  );
}

// To three decimals, as ratings are.
const rounded = (points: number) => Math.round(points * 1000) / 1000;

// The change of every seat, made anew from the published rules of rating.
export async function checkRating(
  api: Api,
  match: Match,
  result: Schemas["Result"],
): Promise<void> {
  const rules = await good("the rules of rating", 200, api.GET("/v1/rating-rules"));
  const k = rules.k_factors[0]?.k;
  expect(k !== undefined, "there is no K");
  const params = { path: { id: match.id } };
  const rating = await good("the rating", 200, api.GET("/v1/games/{id}/rating", { params }));
  same([rating.rated, rating.rating_status], [true, "applied"], "the game is rated");
  same(
    rating.seats.map((seat) => seat.seat),
    ["b", "w"],
    "the seats of the rating",
  );
  rating.seats.forEach((seat, index) => {
    const player = match.seats[seat.seat === "b" ? "b" : "w"];
    const rival = match.seats[seat.seat === "b" ? "w" : "b"];
    const [against, change] = [seat.against[0], result.ratings[index]];
    expect(against !== undefined && change !== undefined, `${seat.seat}: no explanation`);
    const start = rules.scale.start;
    const score =
      result.ranks?.[index] === 1 ? rules.formula.scores.win : rules.formula.scores.loss;
    const wanted = 1 / (1 + 10 ** ((against.rating - start) / 400));
    const delta = rounded(k * (score - wanted));
    same([seat.player_id, seat.before, seat.k], [player.id, start, k], `${seat.seat}: before`);
    same([against.expected, against.score], [wanted, score], `${seat.seat}: expected and score`);
    same([against.points, seat.delta, change.delta], [delta, delta, delta], `${seat.seat}: delta`);
    same([seat.after, change.after], [start + delta, start + delta], `${seat.seat}: after`);
    expect(against.sentence?.includes(rival.name) === true, `${seat.seat}: '${against.sentence}'`);
  });
}

// Both are new, so they are in the list of provisional players, and in no other.
export async function checkRanking(
  api: Api,
  match: Match,
  result: Schemas["Result"],
): Promise<void> {
  const [winner, loser] =
    result.ranks?.[0] === 1 ? [match.seats.b, match.seats.w] : [match.seats.w, match.seats.b];
  const [up, down] = result.ranks?.[0] === 1 ? result.ratings : [...result.ratings].reverse();
  const path = { pool: "hasami" as const };
  const established = await good(
    "the ranking",
    200,
    api.GET("/v1/rankings/{pool}", { params: { path } }),
  );
  same([established.total, established.items], [0, []], "the ranking");
  const query = { provisional: true };
  const list = await good(
    "the list",
    200,
    api.GET("/v1/rankings/{pool}", { params: { path, query } }),
  );
  const rows = list.items.map((row) => [
    row.rank,
    row.player.name,
    row.rating,
    row.wins,
    row.losses,
  ]);
  same(
    rows,
    [
      [1, winner.name, up?.after, 1, 0],
      [2, loser.name, down?.after, 0, 1],
    ],
    "the list of provisional players",
  );
  for (const [index, player] of [winner, loser].entries()) {
    await checkStanding(api, player, index + 1, list.items);
  }
}

async function checkStanding(
  api: Api,
  player: Player,
  rank: number,
  around: Schemas["RankingRow"][],
): Promise<void> {
  const path = { pool: "hasami" as const, id: player.id };
  const query = { provisional: true };
  const standing = await good(
    "the standing",
    200,
    api.GET("/v1/rankings/{pool}/players/{id}", { params: { path, query } }),
  );
  same([standing.rank, standing.around], [rank, around], `the standing of ${player.name}`);
  const history = await good(
    "the history",
    200,
    api.GET("/v1/players/{id}/rating-history", {
      params: { path: { id: player.id }, query: { pool: "hasami" } },
    }),
  );
  expect(typeof history === "object", "the history is no JSON");
  const row = around[rank - 1];
  const shown = history.items.map((item) => ("game_id" in item ? [item.after, item.place] : []));
  same(shown, [[row?.rating, rank]], `the history of ${player.name}`);
  const me = await good(`${player.name} asking`, 200, player.api.GET("/v1/me"));
  same(
    [me.ratings.hasami.rating, me.open_games, me.ticket],
    [row?.rating, [], null],
    `what ${player.name} sees`,
  );
}

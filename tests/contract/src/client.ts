import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { components, paths } from "./contract.js";
import { Fault, expect, same } from "./fault.js";

export type Schemas = components["schemas"];
export type Api = Client<paths>;

type Answer<Data, Refusal> = { data?: Data; error?: Refusal; response: Response };

export function connect(origin: string, check: Middleware, token?: string): Api {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const api = createClient<paths>({ baseUrl: origin, headers });
  api.use(check);
  return api;
}

// The body of a good answer, with this status.
export async function good<Data>(
  what: string,
  status: number,
  answer: Promise<Answer<Data, Schemas["Problem"]>>,
): Promise<Data> {
  const { data, error, response } = await answer;
  if (error !== undefined)
    throw new Fault(`${what}: ${error.status} ${error.code}: ${error.detail}`);
  same(response.status, status, `${what}: the status`);
  expect(data !== undefined, `${what}: no body`);
  return data;
}

// The problem of an answer that must be one.
export async function refused(
  what: string,
  code: Schemas["ProblemCode"],
  answer: Promise<Answer<unknown, Schemas["Problem"]>>,
): Promise<Schemas["Problem"]> {
  const { error } = await answer;
  expect(error !== undefined, `${what} is not refused`);
  same(error.code, code, `${what}: the code`);
  return error;
}

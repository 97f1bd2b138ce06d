// What the run ends with when the server or the document is wrong.
export class Fault extends Error {}

export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Fault(what);
}

// Both as JSON, so that a difference can be read.
export function same(found: unknown, wanted: unknown, what: string): void {
  const [f, w] = [JSON.stringify(found), JSON.stringify(wanted)];
  expect(f === w, `${what}: ${f} instead of ${w}`);
}

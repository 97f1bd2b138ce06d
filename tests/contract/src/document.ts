import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Middleware } from "openapi-fetch";
import { Fault, expect } from "./fault.js";

type Schema = { $ref?: string };
type Reply = { $ref?: string; content?: Record<string, { schema: Schema }> };
type Operation = { operationId: string; responses: Record<string, Reply> };
type Document = {
  paths: Record<string, Record<string, Operation | undefined> | undefined>;
  components: { responses: Record<string, Reply> };
};

// Types are gone when the client runs. This holds every answer that comes against the document, so
// that an answer of another type is a fault and not a surprise further on.
export class Contract {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  readonly #compiled = new Map<Schema, ValidateFunction>();
  readonly operations = new Set<string>();

  constructor(file: string) {
    this.#document = JSON.parse(readFileSync(file, "utf8")) as Document;
    formats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, "contract");
  }

  get middleware(): Middleware {
    return {
      onResponse: async ({ request, response, schemaPath }) => {
        const operation = this.#document.paths[schemaPath]?.[request.method.toLowerCase()];
        expect(operation !== undefined, `${request.method} ${schemaPath} is not in the document`);
        this.operations.add(operation.operationId);
        await this.#check(operation, response.clone());
      },
    };
  }

  async #check(operation: Operation, response: Response): Promise<void> {
    const of = `${operation.operationId}: the answer ${response.status}`;
    const reply = this.#follow(operation.responses[String(response.status)]);
    expect(reply !== undefined, `${of} is not in the document`);
    const type = response.headers.get("Content-Type")?.split(";")[0] ?? "";
    if (reply.content === undefined) return;
    const media = reply.content[type];
    expect(media !== undefined, `${of} has the type '${type}'`);
    const body: unknown = type.endsWith("json") ? await response.json() : await response.text();
    const validate = this.#validator(media.schema);
    if (!validate(body)) {
      const error = validate.errors?.[0];
      throw new Fault(`${of}: ${error?.instancePath || "/"} ${error?.message}`);
    }
  }

  #follow(reply: Reply | undefined): Reply | undefined {
    const name = reply?.$ref?.split("/").pop();
    return name === undefined ? reply : this.#document.components.responses[name];
  }

  #validator(schema: Schema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const whole = schema.$ref === undefined ? schema : { $ref: `contract${schema.$ref}` };
    const made = this.#ajv.compile(whole);
    this.#compiled.set(schema, made);
    return made;
  }
}

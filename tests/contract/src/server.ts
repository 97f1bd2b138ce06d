import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault, same } from "./fault.js";

const PATIENCE_MS = 10_000;

// A server of our own on a free port, with a file that goes when it stops.
export class Server {
  private constructor(
    readonly origin: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(binary: string): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), "banzuke-contract-"));
    const child = spawn(
      binary,
      ["serve", "--db", join(folder, "banzuke.db"), "--listen", "127.0.0.1:0"],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
    process.once("exit", () => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
    const origin = await Promise.race([
      ready(child),
      sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
        throw new Fault(`${binary} is not ready after ${PATIENCE_MS} ms`);
      }),
    ]);
    return new Server(origin, child, folder);
  }

  async stop(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGTERM");
    const [code] = await gone;
    same(code, 0, "the exit code of the server");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// The origin, from the line of the log that says so.
function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const seen: string[] = [];
    child.once("error", (error) => reject(new Fault(error.message)));
    child.once("close", () => reject(new Fault(`the server did not start: ${seen.join("\n")}`)));
    if (child.stderr === null) throw new Fault("the server has no log");
    createInterface({ input: child.stderr }).on("line", (line) => {
      seen.push(line);
      const found = /"event":"ready".*"listen":"([^"]*)"/.exec(line);
      if (found?.[1] !== undefined) resolve(`http://${found[1]}`);
    });
  });
}

import { describeProblem } from './describe-problem.js'
import { importModule } from './import-module.js'

/**
 * The exports of a user's module, TypeScript or JavaScript. Throws one sentence that names the file and the cause;
 * whoever would rather have the failure as data takes `importModule`.
 */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  const imported = await importModule(path)
  if (imported.ok) return imported.exports
  throw new Error(`cannot load ${describeProblem(imported.problem)}`, { cause: imported.cause })
}

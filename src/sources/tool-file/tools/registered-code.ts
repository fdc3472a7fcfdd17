import { resolve } from 'node:path'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { isObject } from '../../../platform/json/is-object.js'
import { importModule } from '../../../platform/modules/import-module.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import type { RegisteredCode } from '../transports/transport.js'

/** Functions by tool id. */
export type CodeById = Readonly<Record<string, (input: never, context: ExecuteContext) => unknown>>

export interface CodeOptions {
  /** The name of the folder in the config. */
  readonly entry: string
  /** A module, or the functions themselves. */
  readonly code: string | CodeById | undefined
  /** The base of a relative path. */
  readonly folder: string
  /** A clause that says why the module must not be run now. */
  whyUntrusted?(): string | undefined
}

/** The code of a folder's tools. The module is imported when the first tool needs it. */
export interface RegisteredCodes {
  find(toolId: string): Promise<RegisteredCode | undefined>
  /** Why there is no code for a tool, as a sentence that names what to export. */
  whyMissing(toolId: string): Promise<string>
}

export function createRegisteredCodes({ entry, code, folder, whyUntrusted }: CodeOptions): RegisteredCodes {
  const path = typeof code === 'string' ? resolve(folder, code) : undefined

  async function load(): Promise<{ readonly functions: object; readonly problem?: string }> {
    if (path === undefined) return { functions: typeof code === 'object' ? code : {} }
    // Before each import: the module may have changed since it was trusted.
    const why = whyUntrusted?.()
    if (why !== undefined)
      return { functions: {}, problem: `it is not run, for ${why}: ${ownCommand('trust')}` }
    const imported = await importModule(path)
    if (!imported.ok) return { functions: {}, problem: imported.problem.message }
    const { default: byId, ...named } = imported.exports
    return { functions: { ...named, ...(isObject(byId) && byId) } }
  }

  return {
    async find(toolId) {
      const { functions } = await load()
      const found = [toolId, exportName(toolId)]
        .map((name) =>
          Object.hasOwn(functions, name) ? (Reflect.get(functions, name) as unknown) : undefined,
        )
        .find((each) => typeof each === 'function')
      return found as RegisteredCode | undefined
    },
    async whyMissing(toolId) {
      if (code === undefined)
        return `The tool "${toolId}" runs code that is not there: write "code" for the tool folder "${entry}", a module whose default export has a function "${toolId}".`
      if (path === undefined)
        return `The tool "${toolId}" runs code that is not there: add a function "${toolId}" to "code".`
      const { problem } = await load()
      const file = shortPath(path)
      return problem === undefined
        ? `The tool "${toolId}" runs code that is not there: add a function "${toolId}" to the default export of ${file}, or export a function named ${exportName(toolId)}.`
        : `The code of the tool "${toolId}" cannot be loaded: ${file}: ${problem}.`
    },
  }
}

/** `searchKb` of `search-kb`: a hyphen cannot be part of a name in code. */
function exportName(toolId: string): string {
  return toolId.replaceAll(/[-_]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

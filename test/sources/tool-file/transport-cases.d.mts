import type { CompiledTool } from '../../../src/sources/tool-file/compiled.js'
import type { FolderToolsOptions } from '../../../src/sources/tool-file/tools/folder-tools.js'

/**
 * What the service does with a call: `answer` returns the text of the input, `mismatch` something that does not fit the
 * output schema, `refuse` an error of the service (which repeats its secret, where it can), `large` more than 1 MB of
 * valid output; `hang` never answers.
 */
export type Behaviour = 'answer' | 'mismatch' | 'refuse' | 'hang' | 'large'

/** A real service on this machine, and the tools that call it. */
export interface TransportPeer {
  /** The transport, and what else differs from a plain tool: its SQL, its output schema. */
  tool(does: Behaviour): Pick<CompiledTool, 'transport'> & Partial<CompiledTool>
  /** The variables with the credential; without them the credential is missing. */
  readonly env: Readonly<Record<string, string>>
  /** Other options for the tools of the folder, such as a transport with options of its own. */
  readonly options?: Partial<FolderToolsOptions>
  /** The structured output of `answer` for a text. */
  answer(text: string): unknown
  /** A text with which `answer` repeats its secret; absent: it cannot. */
  readonly echoed?: string
  /** How `refuse` refuses: the code in the tool file, as the native facts have it, and the class of the error. */
  readonly refusal: { readonly code: string; readonly errorClass: string }
  /** The hosts that the tool file names. */
  readonly hosts: readonly string[]
  /** What must be shown nowhere. */
  readonly secrets: readonly string[]
  /** How many calls have arrived. */
  calls(): number | Promise<number>
  /** How many calls ended at the service before it had answered. */
  aborted(): number | Promise<number>
  /** How many connections are open. */
  connections(): number | Promise<number>
  stop(): Promise<void>
}

/** The modules that the cases use, from the sources or from a build. */
export interface ContractLibrary {
  readonly createCrib: unknown
  readonly memoryStore: unknown
  readonly createFolderTools: unknown
  readonly createLiveSecrets: unknown
}

export interface TransportCase {
  readonly name: string
  readonly title: string
  run(peer: TransportPeer, library: ContractLibrary): Promise<void>
}

export const transportCases: readonly TransportCase[]

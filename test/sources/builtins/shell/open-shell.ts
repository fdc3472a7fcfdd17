import { spawnSync } from 'node:child_process'
import { createCrib, memoryStore, type Crib, type CribOptions, type ToolResult } from 'toolcrib'
import { onTestFinished } from 'vitest'
import { builtinSource, type BuiltinSettings } from '../../../../src/builtins.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../../temporary-folder.js'

/** Why programs cannot run in a sandbox here, or undefined. */
export function whyNoSandbox(): string | undefined {
  const tried = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', 'true'])
  if (tried.error) return 'bubblewrap is not installed'
  return tried.status === 0 ? undefined : 'bubblewrap may not make namespaces here'
}

export interface OpenShell {
  readonly crib: Crib
  readonly folder: TemporaryFolder
  exec(input: Record<string, unknown> & { command: string }): Promise<ToolResult>
  call(name: string, input: object): Promise<ToolResult>
}

/** A crib with the shell tools in a new folder, where everything is allowed. */
export async function openShell(
  settings: BuiltinSettings<'shell'> = {},
  options: CribOptions & { folder?: TemporaryFolder } = {},
): Promise<OpenShell> {
  const { folder = openTemporaryFolder(), ...more } = options
  const crib = await createCrib({
    store: memoryStore(),
    cancelGraceMs: 3000,
    decider: () => ({ behavior: 'allow' }),
    sources: [builtinSource('shell', settings, { folder: folder.path })],
    ...more,
  })
  onTestFinished(() => crib.close({ graceMs: 0 }))
  const surface = await crib.surface()
  const call = async (name: string, input: object): Promise<ToolResult> =>
    await crib.call(surface, { name, input })
  return { crib, folder, call, exec: (input) => call('tool_shell_exec', input) }
}

/** The structured output of `shell.exec`. */
export interface ExecOutput {
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
  readonly violations?: readonly { kind: string; message: string }[]
}

export function outputOf(result: ToolResult): ExecOutput {
  return result.structured_content as ExecOutput
}

import { SCHEMA_VERSION } from '../../../contract/unions.js'
import type { ExitCode, Given } from '../program/command.js'
import { ownVersion } from '../../../platform/files/own-package.js'
import type { Terminal } from '../terminal/terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const versions = {
    toolcrib: ownVersion(),
    node: process.versions.node,
    agent_tool_standard: SCHEMA_VERSION,
  }
  if (options.json) terminal.printJson(versions, 2)
  else {
    terminal.print(
      `toolcrib ${versions.toolcrib}, Node ${versions.node}, Agent Tool standard ${versions.agent_tool_standard}`,
    )
  }
  return 0
}

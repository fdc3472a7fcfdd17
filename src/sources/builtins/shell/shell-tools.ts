import type { OpenBuiltin } from '../builtin.js'
import { execTool } from './exec-tool.js'
import { openDoubts } from './proof-doubts.js'
import { openFolders } from './run-shell-command.js'
import { openSessions, sessionTool } from './session-tool.js'
import { resolveSettings } from './shell-settings.js'

/** Tools that run commands: `shell.exec`, and `shell.session` for programs that want a terminal. */
export const open: OpenBuiltin<'shell'> = async (given, environment) => {
  const settings = resolveSettings(given, environment)
  const folders = openFolders()
  const doubts = await openDoubts(environment.storage)
  const sessions = openSessions()
  const parts = { settings, folders, doubts }
  return {
    drafts: [execTool(parts), sessionTool({ ...parts, sessions })],
    async close() {
      doubts.close()
      await sessions.close()
      folders.close()
    },
  }
}

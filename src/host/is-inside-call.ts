import { startedByTools } from '../platform/processes/started-processes.js'

/**
 * Whether a tool, a hook or a server of Toolcrib started this process: Toolcrib started one of its parents, or the head of
 * its session or group. The variable shows it on systems that do not report parents.
 */
export function isInsideCall(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env['TOOLCRIB_INVOCATION']) || startedByTools() !== undefined
}

import type { JudgedCall } from './judged-call.js'

/** Every host that a call is known to talk to: those that its input names and those that its tool states. */
export function hostsOf({ tool, touched }: Pick<JudgedCall, 'tool' | 'touched'>): string[] {
  return [...new Set([...(touched?.hosts ?? []), ...(tool.hosts ?? [])])]
}

import { entryForHosts } from '../judge-rules.js'
import type { RuleBook } from '../judge.js'
import { toHost } from '../patterns/host-pattern.js'
import { callWithoutInput, type Caller } from './hiding-rule.js'
import { NO_FIELDS } from './rule-tool.js'
import type { Rule } from './rule.js'

/** Something that is not a tool and talks to hosts, such as the resources of a server. */
export interface HostUser {
  /** Names that a rule may use for it. */
  readonly names: readonly [string, ...string[]]
  readonly hosts: readonly string[]
}

/** The strictest deny or ask about one of these hosts for this caller. */
export function hostRule(book: RuleBook, { names, hosts }: HostUser, caller: Caller): Rule | undefined {
  const tool = {
    toolId: names[0],
    kind: 'custom',
    names,
    ownNames: [],
    ids: [],
    nativeIds: [],
    fields: NO_FIELDS,
    hosts: hosts.map(toHost),
    profile: {},
  }
  return entryForHosts(book.forTool(tool), book.effects, callWithoutInput(tool, caller))?.rule
}

import type { CribOptions } from '../../crib/crib.js'
import type { ResultOptions } from '../../crib/results/result-options.js'
import type { Source } from '../../sources/source.js'
import type { CribSettings } from '../crib-settings.js'
import type { LoadCribOptions } from '../load-crib.js'
import type { OpenedSources } from '../sources/open-configured-sources.js'
import { actorOf, personName } from '../actor-of.js'

/** A file of 100 KB is nothing unusual: clients get it whole, as they do from the server itself. */
const MAX_INLINE_CHARS = 131_072

/**
 * Whether a gateway lets tools run that are declared as read-only and may reach beyond this machine. A crib in a program
 * requires approval for them.
 */
export const SERVED_OPEN_READS = true

type ServedCribOptions = Pick<LoadCribOptions, 'openReads' | 'followRules'> & { readonly more: CribOptions }

/** The options of the crib whose tools a gateway serves to its clients. */
export function clientCribOptions(
  settings: CribSettings,
  /** Whether the user of this process answers questions at the terminal of the gateway. */
  { isAsked }: { isAsked: boolean },
): ServedCribOptions {
  const results: ResultOptions = {
    maxInlineChars: MAX_INLINE_CHARS,
    // Many clients list tools once: they never call a tool that appears only with the first long result.
    readTool: true,
    ...(settings.config.results as ResultOptions),
  }
  return {
    openReads: SERVED_OPEN_READS,
    followRules: true,
    more: { actor: actorOf(settings), results, reviewers: reviewersOf(settings, isAsked) },
  }
}

/**
 * The options of a second crib for commands of the user that use the connections of the gateway. The defaults are those of
 * clients, but the user reviews, and results go to a person.
 */
export function commandCribOptions(
  settings: CribSettings,
  { sources, secrets, live }: Pick<OpenedSources, 'sources' | 'secrets' | 'live'>,
): ServedCribOptions & Pick<LoadCribOptions, 'sources'> {
  const { more, ...rest } = clientCribOptions(settings, { isAsked: true })
  return {
    ...rest,
    sources: { sources: sources.map(borrowed), secrets, live },
    more: { ...more, approvals: { claim: false } },
  }
}

/** Everyone who has the role at the server of this process. */
const ROLE_REVIEWER = 'role:reviewer'

/**
 * Who may answer approval requests. The user who starts the gateway and callers with the role are reviewers unless
 * the config names others; if it does, the user only where this user is asked: at the terminal of the gateway, or by a command of this user.
 */
function reviewersOf({ config }: CribSettings, isAsked: boolean): NonNullable<CribOptions['reviewers']> {
  const named = config.approvals?.reviewers ?? []
  if (named.length === 0) return [personName(), ROLE_REVIEWER]
  return isAsked ? [...named, personName()] : named
}

/** A source that another crib has opened and closes. */
function borrowed({ name, list, watch, pending }: Source): Source {
  return { name, list, ...(watch && { watch }), ...(pending && { pending }) }
}

import { sameJson } from '../../platform/json/same-json.js'
import { createTrustGuard, type TrustGuard } from '../../platform/trust/trust-guard.js'
import { createLiveSecrets, type LiveSecrets } from '../../redaction/live-secrets.js'
import type {
  EntriesChange,
  KindEnvironment,
  OpenedKind,
  SourceConfig,
  SourceKind,
  SourceProblem,
} from '../../sources/kind.js'
import { sourceKinds } from '../../sources/kinds.js'
import { notStarted } from '../../sources/not-started.js'
import type { Source } from '../../sources/source.js'

export interface OpenSourcesOptions {
  /** Only entries of these names; absent: all of the config. */
  only?: readonly string[] | undefined
  env?: NodeJS.ProcessEnv
  clientInfo?: KindEnvironment['clientInfo']
  /** Whether entries may come later, so that there is something to put them into. No, unless said. */
  mayChange?: boolean | undefined
  /** Told of what goes wrong where nobody waits for an answer. */
  onProblem?: ((message: string) => void) | undefined
}

/** The sources of a config, of all kinds. */
export interface OpenedSources {
  /** As they are now. */
  readonly sources: readonly Source[]
  readonly problems: readonly SourceProblem[]
  /** What must not show anywhere: credentials, and what came from variables. */
  readonly secrets: readonly string[]
  /** Credentials that are come by later, which must not show either. */
  readonly live: LiveSecrets
  /** What one kind opened; nothing where the config has none of it. */
  of<Opened extends OpenedKind>(kind: SourceKind<Opened>): Opened | undefined
  /** Takes over a config that was changed, and says what changed and what is wrong. */
  renew(settings: SourceConfig): Promise<RenewedSources>
  /** Resolves when each has been connected to or has failed once, or the time is over. */
  settled(timeoutMs?: number): Promise<void>
  close(): Promise<void>
}

export interface RenewedSources {
  readonly change: EntriesChange
  readonly problems: readonly SourceProblem[]
}

/** The sources of a config. Nothing is connected to before a crib opens them, or somebody waits for them. */
export async function openConfiguredSources(
  settings: SourceConfig,
  options: OpenSourcesOptions = {},
): Promise<OpenedSources> {
  const { only, env = process.env, clientInfo, mayChange = false, onProblem = () => {} } = options
  const live = createLiveSecrets()
  const opened = new Map<SourceKind, OpenedKind>()
  const secrets: string[] = []
  const isWanted = ({ entry }: SourceProblem): boolean => !only || only.includes(entry)

  function environmentOf(file: SourceConfig): KindEnvironment {
    const whyUntrusted = oncePerTurn(createTrustGuard(file.configPath, file.config))
    return { file, env, only, clientInfo, mayChange, live, onProblem, whyUntrusted }
  }

  function learn(found: readonly string[]): void {
    secrets.push(...found.filter((secret) => !secrets.includes(secret)))
    secrets.sort((a, b) => b.length - a.length)
  }

  async function open(kind: SourceKind, environment: KindEnvironment): Promise<readonly SourceProblem[]> {
    const given = settingsFor(kind, environment.file)
    if (given === undefined && !(mayChange && kind.isKeptOpen)) return refusals(kind, environment.file, env)
    const made = await kind.open(given, environment)
    opened.set(kind, made)
    learn(made.secrets)
    return given === undefined ? refusals(kind, environment.file, env) : made.problems
  }

  async function renewKind(
    kind: SourceKind,
    [before, environment]: readonly [SourceConfig, KindEnvironment],
  ): Promise<RenewedSources> {
    const known = opened.get(kind)
    const next = settingsFor(kind, environment.file)
    const change = entriesChanged(kind, before, environment.file)
    if (known?.renew) {
      const renewed = known.renew(next, environment)
      hideNow(renewed.secrets)
      return renewed
    }
    if (isNone(change)) return { change, problems: refusals(kind, environment.file, env) }
    opened.delete(kind)
    const problems = await open(kind, environment)
    hideNow(opened.get(kind)?.secrets ?? [])
    return { change, problems }
  }

  /** The redactors of the crib were made before. */
  function hideNow(found: readonly string[]): void {
    for (const secret of found) if (!live.list.includes(secret)) live.add(secret)
    learn(found)
  }

  let current = settings
  const environment = environmentOf(settings)
  const found = await Promise.all(sourceKinds().map((kind) => open(kind, environment)))

  return {
    get sources() {
      return inOrder(opened).flatMap(({ sources }) => sources)
    },
    problems: found.flat().filter(isWanted),
    secrets,
    live,
    of: <Opened extends OpenedKind>(kind: SourceKind<Opened>) => opened.get(kind) as Opened | undefined,
    async renew(next) {
      const now = environmentOf(next)
      const all = await Promise.all(sourceKinds().map((kind) => renewKind(kind, [current, now])))
      current = next
      return {
        change: {
          added: all.flatMap(({ change }) => change.added),
          edited: all.flatMap(({ change }) => change.edited),
          removed: all.flatMap(({ change }) => change.removed),
        },
        problems: all.flatMap(({ problems }) => problems),
      }
    },
    async settled(timeoutMs) {
      await Promise.all(inOrder(opened).map((kind) => kind.settled?.(timeoutMs)))
    },
    async close() {
      await Promise.all(inOrder(opened).map((kind) => kind.close?.()))
    },
  }
}

/** For programs that are started together: a process takes longer to start than the look at the files lasts. */
function oncePerTurn(guard: TrustGuard): TrustGuard {
  let answer: { readonly why: string | undefined } | undefined
  return () => {
    if (!answer) {
      answer = { why: guard() }
      setImmediate(() => (answer = undefined))
    }
    return answer.why
  }
}

function inOrder(opened: ReadonlyMap<SourceKind, OpenedKind>): OpenedKind[] {
  return sourceKinds().flatMap((kind) => opened.get(kind) ?? [])
}

/** Nothing that an untrusted config says gets to a kind: no kind has to remember to ask. */
function settingsFor(kind: SourceKind, { config, trust }: SourceConfig): unknown {
  return trust.isTrusted ? (Reflect.get(config, kind.key) as unknown) : undefined
}

/** What is wrong where nothing was opened. */
function refusals(kind: SourceKind, file: SourceConfig, env: NodeJS.ProcessEnv): SourceProblem[] {
  const { config, trust, configPath = 'toolcrib.yaml' } = file
  const settings: unknown = Reflect.get(config, kind.key)
  if (settings === undefined) return []
  if (kind.check) return kind.check(file, env)
  if (trust.isTrusted) return []
  const { noun } = kind
  return kind
    .entries(settings)
    .map(({ name }) => notStarted({ noun, entry: name }, { file: configPath, trust }))
}

/** Of a kind that cannot say it itself, all that stays counts as edited where anything is. */
function entriesChanged(kind: SourceKind, before: SourceConfig, after: SourceConfig): EntriesChange {
  const [given, next] = [before, after].map((file) => settingsFor(kind, file))
  const [old = [], now = []] = [given, next].map((each) => kind.entries(each).map(({ name }) => name))
  return {
    added: now.filter((name) => !old.includes(name)),
    edited: sameJson(given, next) ? [] : now.filter((name) => old.includes(name)),
    removed: old.filter((name) => !now.includes(name)),
  }
}

function isNone({ added, edited, removed }: EntriesChange): boolean {
  return added.length + edited.length + removed.length === 0
}

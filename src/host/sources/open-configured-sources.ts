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
  /** Whether entries may be added later, so that the kind is opened even without entries. False by default. */
  mayChange?: boolean | undefined
  /** Called for problems outside of a request. */
  onProblem?: ((message: string) => void) | undefined
}

/** A problem of an entry, and the kind of the entry. */
export interface EntryProblem extends SourceProblem {
  readonly kind: SourceKind
}

/** The sources of a config, of all kinds. */
export interface OpenedSources {
  /** The current sources. */
  readonly sources: readonly Source[]
  readonly problems: readonly EntryProblem[]
  /** Values to redact: credentials and values of variables. */
  readonly secrets: readonly string[]
  /** Credentials that are obtained later; they are redacted too. */
  readonly live: LiveSecrets
  /** What one kind opened; undefined where the config has no entries of it. */
  of<Opened extends OpenedKind>(kind: SourceKind<Opened>): Opened | undefined
  /** Applies a changed config, and returns the changes and problems. */
  renew(settings: SourceConfig): Promise<RenewedSources>
  /** Resolves when each source has connected or failed once, or the time is over. */
  settled(timeoutMs?: number): Promise<void>
  /** Of all kinds, as in `OpenedKind`. */
  startDigests(): Readonly<Record<string, string>>
  firstLists(): Promise<void> | undefined
  close(): Promise<void>
}

export interface RenewedSources {
  readonly change: EntriesChange
  /** The kinds whose entries changed. */
  readonly kinds: readonly SourceKind[]
  readonly problems: readonly EntryProblem[]
}

/** The sources of a config. Nothing connects before a crib opens them or a caller awaits `settled`. */
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
  ): Promise<RenewedKind> {
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

  /** Adds secrets for redactors that exist already, such as those of the crib. */
  function hideNow(found: readonly string[]): void {
    for (const secret of found) if (!live.list.includes(secret)) live.add(secret)
    learn(found)
  }

  let current = settings
  const environment = environmentOf(settings)
  const found = await Promise.all(
    sourceKinds().map(async (kind) => ofKind(kind, await open(kind, environment))),
  )

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
      const all = await Promise.all(
        sourceKinds().map(async (kind) => ({ kind, ...(await renewKind(kind, [current, now])) })),
      )
      current = next
      return {
        change: {
          added: all.flatMap(({ change }) => change.added),
          edited: all.flatMap(({ change }) => change.edited),
          removed: all.flatMap(({ change }) => change.removed),
        },
        kinds: all.filter(({ change }) => !isNone(change)).map(({ kind }) => kind),
        problems: all.flatMap(({ kind, problems }) => ofKind(kind, problems)),
      }
    },
    async settled(timeoutMs) {
      await Promise.all(inOrder(opened).map((kind) => kind.settled?.(timeoutMs)))
    },
    startDigests: () => Object.assign({}, ...inOrder(opened).map((kind) => kind.startDigests?.())),
    firstLists() {
      const coming = inOrder(opened).flatMap((kind) => kind.firstLists?.() ?? [])
      return coming.length === 0 ? undefined : Promise.all(coming).then(() => {})
    },
    async close() {
      await Promise.all(inOrder(opened).map((kind) => kind.close?.()))
    },
  }
}

interface RenewedKind {
  readonly change: EntriesChange
  readonly problems: readonly SourceProblem[]
}

function ofKind(kind: SourceKind, problems: readonly SourceProblem[]): EntryProblem[] {
  return problems.map((problem) => ({ ...problem, kind }))
}

/** Checks once per turn of the event loop, for programs that start together. Starting a process takes longer than a turn. */
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

/** No setting of an untrusted config reaches a kind, so that no kind has to check trust. */
function settingsFor(kind: SourceKind, { config, trust }: SourceConfig): unknown {
  return trust.isTrusted ? (Reflect.get(config, kind.key) as unknown) : undefined
}

/** Problems where nothing was opened. */
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

/** For a kind that cannot report changes: if anything changed, all remaining entries count as edited. */
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

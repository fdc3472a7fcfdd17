import type { CribConfig } from '../platform/config/config-schema.js'
import type { ConfigProblem } from '../platform/config/describe-problem.js'
import type { SourceSection } from '../platform/config/source-sections.js'
import type { ConfigTrust } from '../platform/trust/config-trust.js'
import type { LiveSecrets } from '../redaction/live-secrets.js'
import type { Source, SourceStatus } from './source.js'

/** A config file that names sources. */
export interface SourceConfig {
  readonly configPath: string | undefined
  readonly trust: ConfigTrust
  readonly config: CribConfig
}

/** Something wrong with one entry of a kind's settings. */
export interface SourceProblem extends ConfigProblem {
  /** The name of the entry. */
  entry: string
  /** It is not among the sources because of this; otherwise something of the entry is not used. */
  isLeftOut: boolean
  /** Only because the project that it is of is not trusted as it is: why. */
  untrusted?: Exclude<ConfigTrust, { isTrusted: true }> | undefined
}

/** What a kind works with. */
export interface KindEnvironment {
  /** The config that the settings stand in. */
  readonly file: SourceConfig
  readonly env: NodeJS.ProcessEnv
  /** Only entries of these names; absent: all. */
  readonly only: readonly string[] | undefined
  /** Whether entries may come later, so that there is something to put them into. */
  readonly mayChange: boolean
  /** As others are told who connects. */
  readonly clientInfo: { readonly name: string; readonly version: string } | undefined
  /** Takes credentials that are come by later, such as tokens: they show nowhere. */
  readonly live: LiveSecrets
  /** Why nothing that the config names may be started any more, asked each time: a clause. Nothing while it may. */
  whyUntrusted(): string | undefined
  /** Told of what goes wrong where nobody waits for an answer. */
  onProblem(message: string): void
}

/** Names of entries. */
export interface EntriesChange {
  readonly added: readonly string[]
  readonly edited: readonly string[]
  readonly removed: readonly string[]
}

/** The sources of a kind's settings. */
export interface OpenedKind {
  /** As they are now. Whoever opens them closes them. */
  readonly sources: readonly Source[]
  /** What is wrong with entries. */
  readonly problems: readonly SourceProblem[]
  /** What must not show anywhere: credentials, and what came from variables. */
  readonly secrets: readonly string[]
  /**
   * Takes over settings that were changed, and says what is wrong with them and which secrets they have. Absent: what
   * was opened is replaced by what they open anew.
   */
  renew?(
    settings: unknown,
    environment: KindEnvironment,
  ): Pick<OpenedKind, 'problems' | 'secrets'> & { readonly change: EntriesChange }
  /** How its sources are, where it knows more than whether they could be listed. */
  status?(): readonly SourceStatus[]
  /** Resolves when each has been connected to or has failed once, or the time is over: the kind's own, unless given. */
  settled?(timeoutMs?: number): Promise<void>
  /** Ends connections that were made without a crib. */
  close?(): Promise<void>
}

/** A kind of source: where its settings stand in the config, and what makes sources of them. */
export interface SourceKind<Opened extends OpenedKind = OpenedKind> extends SourceSection {
  /**
   * Makes the sources of its settings. Only settings of a trusted config get here. Nothing is connected to before a crib
   * opens the sources.
   */
  open(settings: unknown, environment: KindEnvironment): Promise<Opened>
  /** Others hold on to what it opened: where a config is followed, it is opened before the config names any. */
  readonly isKeptOpen?: boolean
  /** What is wrong with its settings, without opening them. */
  check?(file: SourceConfig, env: NodeJS.ProcessEnv): SourceProblem[]
  /** The namespace of the tools of an entry, where that follows from its name. */
  namespaceOf?(entry: string): string
}

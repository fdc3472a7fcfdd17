import type { EntryLogin } from '../credentials/oauth/login.js'
import type { CribConfig } from '../platform/config/schema/config-schema.js'
import type { ConfigProblem } from '../platform/config/describe-problem.js'
import type { SourceSection } from '../platform/config/source-sections.js'
import type { ConfigTrust } from '../platform/trust/config-trust.js'
import type { LiveSecrets } from '../redaction/live-secrets.js'
import type { SourceChanges } from './changes/source-changes.js'
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
  /** Whether the problem excludes the entry; otherwise only a part of the entry is ignored. */
  isLeftOut: boolean
  /** Why the project is not trusted, where that is the only problem. */
  untrusted?: Exclude<ConfigTrust, { isTrusted: true }> | undefined
}

/** The environment that a kind opens its sources in. */
export interface KindEnvironment {
  /** The config that holds the settings. */
  readonly file: SourceConfig
  readonly env: NodeJS.ProcessEnv
  /** Only entries of these names; absent: all. */
  readonly only: readonly string[] | undefined
  /** Whether entries may be added later, so that a container for them is needed. */
  readonly mayChange: boolean
  /** Name and version that are sent to servers. */
  readonly clientInfo: { readonly name: string; readonly version: string } | undefined
  /** Receives credentials that are obtained later, such as tokens; they are masked everywhere. */
  readonly live: LiveSecrets
  /**
   * A clause that says why nothing in the config may be started any more, evaluated on each use; undefined while it
   * may.
   */
  whyUntrusted(): string | undefined
  /** Receives problems that no caller waits for. */
  onProblem(message: string): void
}

/** Names of entries. */
export interface EntriesChange {
  readonly added: readonly string[]
  readonly edited: readonly string[]
  readonly removed: readonly string[]
}

/** The state of a source in another process, as JSON. A kind reads its own. */
export interface SourceSnapshot {
  /** The name of the entry. */
  readonly name: string
}

/** The sources of a kind's settings. */
export interface OpenedKind {
  /** The current sources. The caller that opens a source closes it. */
  readonly sources: readonly Source[]
  readonly problems: readonly SourceProblem[]
  /** Values that must not be shown anywhere: credentials, and values from variables. */
  readonly secrets: readonly string[]
  /**
   * Applies changed settings; returns their problems and secrets. Absent: all sources are replaced by newly opened
   * ones.
   */
  renew?(
    settings: unknown,
    environment: KindEnvironment,
  ): Pick<OpenedKind, 'problems' | 'secrets'> & { readonly change: EntriesChange }
  /** The status of its sources, where the kind knows more than whether a source could be listed. */
  status?(): readonly SourceStatus[]
  /** The same sources as another process has them, for inspection. This process connects to none of them. */
  fromSnapshots?(snapshots: readonly SourceSnapshot[]): Promise<OpenedKind>
  /** For each entry, a digest of the settings that decide whether it answers when it is started. */
  startDigests?(): Readonly<Record<string, string>>
  /**
   * Resolves when sources that are connecting and never had a list have one, or have failed. Undefined where there is
   * no such source.
   */
  firstLists?(): Promise<void> | undefined
  /** Resolves when each source has connected or failed once, or after the timeout (the kind's own by default). */
  settled?(timeoutMs?: number): Promise<void>
  /** Ends connections that were made without a crib. */
  close?(): Promise<void>
}

/** A kind of source: the key of its settings in the config, and the function that opens sources from them. */
export interface SourceKind<Opened extends OpenedKind = OpenedKind> extends SourceSection {
  /**
   * Opens the sources of its settings. Only called with settings of a trusted config. Nothing connects before a crib
   * opens the sources.
   */
  open(settings: unknown, environment: KindEnvironment): Promise<Opened>
  /**
   * Other modules keep references to what it opened: with a watched config it is opened even before the config has an
   * entry.
   */
  readonly isKeptOpen?: boolean
  /**
   * Whether opening its sources starts no program and contacts no server, so that a command can continue a call of one
   * of them by itself.
   */
  readonly isLight?: boolean
  /** Whether its sources may offer agents. */
  readonly hasAgents?: boolean
  /** Problems of its settings, found without opening them. */
  check?(file: SourceConfig, env: NodeJS.ProcessEnv): SourceProblem[]
  /**
   * What the tools of an entry call, a line for each, for the person who decides about trust. Nothing is run or
   * contacted. Absent: the entry itself says it.
   */
  contacts?(file: Pick<SourceConfig, 'config' | 'configPath'>, entry: string): Promise<readonly string[]>
  /** Whether tools of an entry call other tools of the config, so that a command for one of them opens all sources. */
  callsTools?(entry: string): boolean
  /**
   * Whether tools of an entry keep something open between calls, such as a page: a command then makes the call in a
   * running gateway, which stays.
   */
  keepsSessions?(entry: string): boolean
  /** The namespace of an entry's tools, where it can be derived from the entry's name. */
  namespaceOf?(entry: string): string
  /** Changes of its tools that a person accepts. Absent: a changed tool is used as it is. */
  readonly changes?: SourceChanges
  /**
   * The logins that a person can make for an entry; none where the entry is left out. Absent: its entries have none.
   * Rejects with a sentence.
   */
  logins?(
    entry: string,
    environment: Pick<KindEnvironment, 'file' | 'env' | 'live'>,
  ): Promise<readonly EntryLogin[]>
  /** Folders and files with credentials of its sources, such as tokens. */
  secretPaths?(): readonly string[]
}

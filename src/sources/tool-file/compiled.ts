import type { JsonSchema } from '../../contract/json-schema.js'
import type { CredentialSettings } from '../../credentials/credential-settings.js'
import type { AmlScheme } from '../../credentials/scheme-of-transport.js'

/** A tool file in the form that calls need. Plain JSON, so that it can be cached. */
export interface CompiledTool {
  /** The path of the file, relative to the folder that holds `tools`. */
  readonly file: string
  readonly specVersion: string
  readonly toolId: string
  readonly version: string
  readonly status: ToolStatus
  readonly type: ToolType
  readonly meta: ToolMeta
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** Fields of the input and the output that hold files. */
  readonly fileFields: { readonly input: readonly FileField[]; readonly output: readonly FileField[] }
  readonly guidance: UseGuidance
  /** By status, or by another code of the service. */
  readonly errorCodes: Readonly<Record<string, ErrorMeaning>>
  /** Absent: code that is registered by the id of the tool. */
  readonly transport?: ToolTransport | undefined
  /** The text of `tools/<tool_id>.sql`. */
  readonly sql?: string | undefined
  /** The content of `tools/<tool_id>.avsc`. */
  readonly avro?: unknown
  /** Of the tool file and the files beside it. */
  readonly digest: string
}

export const toolStatuses = ['draft', 'active', 'deprecated', 'disabled'] as const
export type ToolStatus = (typeof toolStatuses)[number]

export const toolTypes = ['retrieval', 'action', 'function', 'human'] as const
export type ToolType = (typeof toolTypes)[number]

export interface ToolMeta {
  readonly name: string
  readonly description: string
  readonly owner: string
  readonly tags: readonly string[]
  readonly last_updated?: string | undefined
}

/** A field that holds a file, marked by `transfer`. */
export interface FileField {
  /** Names of properties from the top; `*` stands for the items of an array. */
  readonly path: readonly string[]
  /** `inline`: base64 in `content`. `ref`: an address in `url`. */
  readonly transfer: 'inline' | 'ref'
  readonly maxSizeBytes?: number | undefined
}

export interface UseGuidance {
  readonly use_when: readonly string[]
  readonly avoid_when: readonly string[]
  readonly side_effects: readonly string[]
}

export interface ErrorMeaning {
  readonly meaning?: string | undefined
  readonly agent_action?: string | undefined
}

export interface TransportCredentials {
  readonly scheme: AmlScheme
  readonly settings: CredentialSettings
  /** With scheme iam-role on a database: its connection parameters, under AML's names. */
  readonly connection?: Readonly<Record<string, string | number>> | undefined
}

export interface RetryPolicy {
  /** Absent: the file does not say it. The first attempt counts. */
  readonly max_attempts?: number | undefined
  /** Absent: 429, 502, 503, 504. */
  readonly on_status?: readonly number[] | undefined
  readonly backoff_ms?: number | undefined
}

interface TransportParts {
  readonly timeout_ms?: number | undefined
  readonly retry_policy?: RetryPolicy | undefined
  readonly credentials: TransportCredentials
}

/** How a tool is called, with the field names of AML. */
export type ToolTransport =
  RestTransport | LambdaTransport | McpTransport | QueueTransport | DatabaseTransport

export interface RestTransport extends TransportParts {
  readonly type: 'rest-api'
  readonly base_url: string
  /** `POST /send` */
  readonly endpoint: { readonly method: string; readonly path: string }
}

export interface LambdaTransport extends TransportParts {
  readonly type: 'lambda'
  readonly provider: 'aws' | 'gcp' | 'azure'
  readonly function_id: string
  readonly invocation_type: 'RequestResponse' | 'Event'
  readonly payload_format: 'json' | 'raw'
}

export interface McpTransport extends TransportParts {
  readonly type: 'mcp'
  readonly url: string
  readonly tool_name: string
  readonly protocol_version?: string | undefined
}

export interface QueueTransport extends TransportParts {
  readonly type: 'message-queue'
  readonly provider: 'aws' | 'gcp' | 'azure' | 'kafka'
  readonly queue_url: string
  readonly message_format: 'json' | 'avro'
  readonly response_queue_url?: string | undefined
}

export const databaseEngines = [
  'postgresql',
  'mysql',
  'mssql',
  'bigquery',
  'snowflake',
  'rds-data-api',
] as const
export type DatabaseEngine = (typeof databaseEngines)[number]

export interface DatabaseTransport extends TransportParts {
  readonly type: 'database'
  readonly engine: DatabaseEngine
  readonly query_method: 'parameterised-sql' | 'orm'
}

/** An agent file: the tools that one agent may use, and what it tightens. */
export interface CompiledAgent {
  readonly file: string
  readonly agentId: string
  readonly refs: readonly AgentRef[]
  readonly toolChoice?: 'none' | 'auto' | 'required' | undefined
}

export interface AgentRef {
  /** The id of a tool of the same folder. */
  readonly ref: string
  readonly approval_required?: boolean | undefined
  readonly max_calls_per_run?: number | undefined
}

/** Everything in a folder that could be compiled. */
export interface CompiledFolder {
  readonly tools: readonly CompiledTool[]
  readonly agents: readonly CompiledAgent[]
  readonly problems: readonly FileProblem[]
}

/** Something wrong in a file, where an editor shows it. */
export interface FileProblem {
  /** Such as `aml/missing-field`; `compile/rules.ts` lists all. */
  readonly code: string
  readonly level: 'error' | 'warning'
  /** One sentence that says what to do. */
  readonly message: string
  /** Relative to the folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** An edit that mends it without a decision of a person. */
  readonly fix?: FileFix | undefined
}

export interface FileFix {
  /** What it does, in a few words. */
  readonly title: string
  /** Positions of characters in the file, from 0. */
  readonly start: number
  readonly end: number
  readonly text: string
}

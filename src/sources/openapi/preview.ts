/** What a document would add as tools, before anything is written. */
export interface OpenapiPreview {
  /** The name of the entry. */
  readonly name: string
  readonly title?: string | undefined
  readonly version?: string | undefined
  readonly description?: string | undefined
  /** Resolved addresses that calls go to. Empty where neither the document nor the options name one. */
  readonly servers: readonly string[]
  /** Whether calls would go to this machine or to a private network: the config must then name the address itself. */
  readonly isPrivateServer: boolean
  readonly tags: readonly PreviewedTag[]
  /** In the order of the document. */
  readonly operations: readonly PreviewedOperation[]
  /** What the document gets wrong. `at` is a JSON Pointer. */
  readonly problems: readonly { readonly at: string; readonly message: string }[]
  readonly credentials: readonly PreviewedCredential[]
}

export interface PreviewedTag {
  readonly name: string
  /** How many operations have it. */
  readonly operations: number
}

export interface PreviewedOperation {
  /** The last part of its tool id. */
  readonly name: string
  readonly toolId: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly summary?: string | undefined
  readonly tags: readonly string[]
  readonly risk: 'reads' | 'writes' | 'destroys'
  readonly deprecated: boolean
  /** The cost of the tool in a prompt. */
  readonly tokens: number
  /** The members of the input that a call must give. */
  readonly required: readonly string[]
  /** The credentials that calls need, by name. */
  readonly credentials: readonly string[]
}

export interface PreviewedCredential {
  /** The name of the security scheme. */
  readonly name: string
  /** `apiKey`, `http bearer`, `oauth2`, … */
  readonly type: string
  /** What is missing, as a sentence. Absent: it is set. */
  readonly missing?: string | undefined
}

export interface OpenapiPreviewOptions {
  /** The name of the entry, from the title of the document where that is needed: its tools are `api.<name>.<operation>`. */
  nameFor(title: string | undefined): string
  /** The address that the entry names instead of those of the document. */
  readonly server?: string | undefined
}

/**
 * Reads a document and its references. `document` is an absolute path or an http(s) address. Rejects with an error whose
 * message is the rest of a sentence, such as `it is a web page (HTML), not an OpenAPI document`.
 */
export type PreviewOpenapi = (document: string, options: OpenapiPreviewOptions) => Promise<OpenapiPreview>

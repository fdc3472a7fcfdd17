import type { JsonSchema } from '../../contract/json-schema.js'
import type { HttpOperation } from '../http/http-operation.js'

/** An OpenAPI document in the form that is run and cached: plain JSON, without references. */
export interface CompiledDocument {
  readonly title: string | undefined
  readonly version: string | undefined
  readonly description: string | undefined
  /** `2.0`, `3.0`, `3.1`, `3.2`. */
  readonly dialect: string
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly operations: readonly CompiledOperation[]
  /** What the document gets wrong, and what was done about it. No operation is lost. */
  readonly problems: readonly DocumentProblem[]
}

export interface DocumentProblem {
  /** A JSON Pointer into the document, such as `/paths/~1pets/get`. */
  readonly at: string
  readonly message: string
}

export interface CompiledOperation extends HttpOperation {
  /** The tool's name: legal, unique in the document. */
  readonly name: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly isDeprecated: boolean
  readonly servers: readonly CompiledServer[]
  /** Any one of them suffices; an alternative needs all of its schemes. Empty: none is needed. */
  readonly security: readonly SecurityAlternative[]
  /** The schemes that `security` names, as far as the document defines them. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  readonly response: CompiledResponse
  readonly input: JsonSchema
  readonly output: JsonSchema | undefined
  readonly examples: readonly unknown[]
  readonly pagination: Pagination | undefined
  /** The operation's members that start with `x-`. */
  readonly hints: Readonly<Record<string, unknown>>
  /** 3.2: under `additionalOperations`, with a method of its own. */
  readonly isAdditional: boolean
  /** Texts and schemas before hidden characters were removed, where there were any. */
  readonly asSent?: Readonly<Record<string, unknown>> | undefined
}

export interface CompiledServer {
  /** With `{variables}`; relative to the document's address. */
  readonly url: string
  readonly variables: Readonly<Record<string, ServerVariable>>
}

export interface ServerVariable {
  readonly default: string
  readonly enum?: readonly string[] | undefined
}

/** Scheme names with their scopes. */
export type SecurityAlternative = Readonly<Record<string, readonly string[]>>

export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  /** `bearer`, `basic`, or another scheme of the Authorization header. In lower case. */
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2'; readonly flows: OAuthFlows }
  | { readonly type: 'openIdConnect'; readonly url: string }
  | { readonly type: 'unsupported'; readonly of: string }
  /** A requirement names it, and the document has no such scheme. */
  | { readonly type: 'not_defined' }

export interface OAuthFlows {
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
  readonly deviceAuthorizationUrl?: string | undefined
  /** The grants that the document names. */
  readonly grants: readonly ('authorization_code' | 'client_credentials' | 'device_code')[]
  readonly scopes: readonly string[]
}

export interface CompiledResponse {
  /** The media types of successful responses: JSON first, else in the document's order. */
  readonly mediaTypes: readonly string[]
}

/** How the next page is found. */
export type Pagination =
  /** The response has `Link: <…>; rel="next"`, or a member with the address of the next page. */
  | {
      readonly kind: 'link'
      readonly from?: readonly string[] | undefined
      readonly items?: readonly string[] | undefined
    }
  /** A member of the response is the value of a parameter of the next request. */
  | {
      readonly kind: 'cursor'
      readonly field: string
      readonly from: readonly string[]
      readonly items: readonly string[] | undefined
    }
  /** A member of the last item is the value of a parameter of the next request. */
  | {
      readonly kind: 'last_item'
      readonly field: string
      readonly from: readonly string[]
      readonly items: readonly string[]
      /** The member of the response that says whether there are more items. */
      readonly more: readonly string[] | undefined
    }
  /** Pages are counted: the next has a higher number, until one is short or empty. */
  | {
      readonly kind: 'page'
      readonly field: string
      /** The number of the first page. */
      readonly first: number
      readonly sizeField: string | undefined
      readonly items: readonly string[]
    }
  /** Items are counted. */
  | {
      readonly kind: 'offset'
      readonly field: string
      /** The number of the first item. */
      readonly first: number
      readonly sizeField: string | undefined
      readonly items: readonly string[]
    }

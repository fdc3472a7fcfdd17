import type { JsonSchema } from '../contract/json-schema.js'
import type { ContentBlock } from './tool-output.js'

/** Questions to a caller, independent of its protocol. */
export type ClientQuestion =
  /** A form for the person at the client: an object of plain fields. */
  | { readonly kind: 'form'; readonly message: string; readonly schema: JsonSchema }
  /** An address that the person is asked to open. */
  | { readonly kind: 'link'; readonly message: string; readonly url: string; readonly id?: string }
  /** A completion by the client's model. */
  | {
      readonly kind: 'sampling'
      readonly messages: readonly SamplingMessage[]
      readonly system?: string
      readonly maxTokens?: number
    }
  /** The folders and addresses that the client works on. */
  | { readonly kind: 'roots' }

export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock
}

export type ClientAnswer =
  | {
      readonly kind: 'form' | 'link'
      readonly action: 'accept' | 'decline' | 'cancel'
      readonly content?: Readonly<Record<string, unknown>>
    }
  | ({ readonly kind: 'sampling'; readonly model?: string } & SamplingMessage)
  | { readonly kind: 'roots'; readonly roots: readonly { readonly uri: string; readonly name?: string }[] }

/** The questions that a caller declares it can answer. */
export type ClientAbilities = Readonly<Record<ClientQuestion['kind'], boolean>>

/** Notifications to a caller while a call runs. */
export type ClientNote =
  | {
      readonly kind: 'progress'
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  | { readonly kind: 'log'; readonly level: string; readonly data: unknown; readonly logger?: string }

/** The name that a client program gives itself. It is not verified. */
export interface ClientProgram {
  readonly name: string
  readonly version?: string | undefined
}

/** "cursor 1.2" */
export function programText({ name, version }: ClientProgram): string {
  return version === undefined ? name : `${name} ${version}`
}

/** The client program of a call, where it accepts questions and notifications. Edges implement it. */
export interface ClientLink {
  readonly program?: ClientProgram | undefined
  readonly abilities: ClientAbilities
  /** The client in its own protocol, for a source of the same protocol: nothing is lost in between. */
  readonly native?: { readonly protocol: string; readonly link: object } | undefined
  /**
   * Asks all questions at once; the answers have the same keys. Rejects where the client cannot be asked or refuses.
   */
  ask(
    questions: Readonly<Record<string, ClientQuestion>>,
    signal: AbortSignal,
  ): Promise<Record<string, ClientAnswer>>
  tell(note: ClientNote): void
  /** Reports that the work continues as a task: a client that supports tasks can get a task too. */
  continuesAsTask?(): void
  /** The client's name for a tool, if the client has the tool. */
  nameOf?(toolId: string): string | undefined
  /** Whether the client requested progress notifications. */
  readonly wantsProgress: boolean
}

import type { JsonSchema } from '../contract/json-schema.js'
import type { ContentBlock } from './tool-output.js'

/** What a caller can be asked, whatever protocol it speaks. */
export type ClientQuestion =
  /** A form for the person behind it: an object of plain fields. */
  | { readonly kind: 'form'; readonly message: string; readonly schema: JsonSchema }
  /** An address that the person is asked to open. */
  | { readonly kind: 'link'; readonly message: string; readonly url: string; readonly id?: string }
  /** A text of its model. */
  | {
      readonly kind: 'sampling'
      readonly messages: readonly SamplingMessage[]
      readonly system?: string
      readonly maxTokens?: number
    }
  /** The folders and addresses that it works on. */
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

/** Which of these questions a caller says it can answer. */
export type ClientAbilities = Readonly<Record<ClientQuestion['kind'], boolean>>

/** What a caller may be told while a call runs. */
export type ClientNote =
  | {
      readonly kind: 'progress'
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  | { readonly kind: 'log'; readonly level: string; readonly data: unknown; readonly logger?: string }

/** What a program calls itself. Nobody vouches for it. */
export interface ClientProgram {
  readonly name: string
  readonly version?: string | undefined
}

/** "cursor 1.2" */
export function programText({ name, version }: ClientProgram): string {
  return version === undefined ? name : `${name} ${version}`
}

/** The program at the other end of a call, where it can be asked and told things. Edges translate it. */
export interface ClientLink {
  readonly program?: ClientProgram | undefined
  readonly abilities: ClientAbilities
  /** The link in the words of its protocol, for a source that speaks the same: nothing is lost between the two. */
  readonly native?: { readonly protocol: string; readonly link: object } | undefined
  /** Asks all of them at once; the answers stand under the same keys. Rejects where the client cannot be asked or refuses. */
  ask(
    questions: Readonly<Record<string, ClientQuestion>>,
    signal: AbortSignal,
  ): Promise<Record<string, ClientAnswer>>
  tell(note: ClientNote): void
  /** What is behind the tool goes on by itself, as a task: whoever takes tasks too need not be kept waiting. */
  goesOnAlone?(): void
  /** The name under which the client has a tool, where it has it. */
  nameOf?(toolId: string): string | undefined
  /** Whether the client asked to hear of progress. */
  readonly wantsProgress: boolean
}

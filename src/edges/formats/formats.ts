import { aiSdk } from './ai-sdk.js'
import { anthropic } from './anthropic.js'
import { gemini } from './gemini.js'
import { mcp } from './mcp.js'
import { openaiResponses } from './openai-responses.js'
import { openai } from './openai.js'
import type { ProviderFormat } from './provider-format.js'

export const formats = {
  openai,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  'ai-sdk': aiSdk,
  mcp,
} as const satisfies Record<string, ProviderFormat>

export type ToolFormat = keyof typeof formats
export const toolFormats = Object.keys(formats) as readonly ToolFormat[]

export type ToolListOf<Format extends ToolFormat> = ReturnType<(typeof formats)[Format]['toList']>
export type ToolResultOf<Format extends ToolFormat> = ReturnType<(typeof formats)[Format]['toResult']>

/** Throws if there is no such format. */
export function formatOf(where: string, name: ToolFormat): ProviderFormat {
  if (Object.hasOwn(formats, name)) return formats[name]
  throw new TypeError(
    `${where}: there is no format "${String(name)}"; it is one of ${toolFormats.join(', ')}.`,
  )
}

export { toolList } from './edges/formats/tool-list.js'
export { toolResultFor, type AnsweredBy } from './edges/formats/tool-result-for.js'
export { fromToolCall } from './edges/formats/from-tool-call.js'
export { toolFormats, type ToolFormat, type ToolListOf, type ToolResultOf } from './edges/formats/formats.js'
export type { ProviderCall } from './edges/formats/provider-format.js'
export type { OpenaiResult, OpenaiTool } from './edges/formats/openai.js'
export type {
  ResponsesFunction,
  ResponsesResult,
  ResponsesTool,
  ResponsesToolSearch,
} from './edges/formats/openai-responses.js'
export type { AnthropicBlock, AnthropicResult, AnthropicTool } from './edges/formats/anthropic.js'
export type { GeminiDeclaration, GeminiResult, GeminiTools } from './edges/formats/gemini.js'
export type { AiSdkResult, AiSdkSchema, AiSdkTools } from './edges/formats/ai-sdk.js'
export type { McpBlock, McpResult, McpTool } from './edges/formats/mcp.js'

import { readFileSync } from 'node:fs'
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import { PNG, WAV, pause, say } from './content.mjs'
import { capabilitiesOf } from './questions.mjs'

const schema2020 = JSON.parse(readFileSync(new URL('schema-2020-12.json', import.meta.url), 'utf8'))

/** Tools that answer by themselves. The first in the list takes no arguments: some scenarios call whichever is first. */
export const plainTools = {
  test_simple_text: {
    description: 'Answers with one text',
    run: () => say('This is a simple text response for testing.'),
  },
  test_image_content: {
    description: 'Answers with one image',
    run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  },
  test_audio_content: {
    description: 'Answers with one sound',
    run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'Answers with a resource in the answer itself',
    run: () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    description: 'Answers with a text, an image and a resource',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    description: 'Always fails',
    run: () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_logging: {
    description: 'Logs three times while it works',
    run: async (_, context) => {
      await context.mcpReq.log('info', 'Tool execution started')
      await pause(50)
      await context.mcpReq.log('info', 'Tool processing data')
      await pause(50)
      await context.mcpReq.log('info', 'Tool execution completed')
      return say('Logged three messages.')
    },
  },
  test_logging_tool: {
    description: 'Logs once, for whoever wants to hear it',
    run: async (_, context) => {
      await context.mcpReq.log('info', 'One message')
      return say('Logged one message.')
    },
  },
  test_tool_with_progress: {
    description: 'Reports progress three times',
    run: async (_, context) => {
      const progressToken = context.mcpReq._meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await pause(50)
        if (progressToken === undefined) continue
        const params = { progressToken, progress, total: 100 }
        await context.mcpReq.notify({ method: 'notifications/progress', params })
      }
      return say('Reported progress.')
    },
  },
  test_reconnection: {
    description: 'Closes the stream of its call before it answers',
    run: async (_, context) => {
      context.http?.closeSSE?.()
      await pause(150)
      return say('Answered after the stream was closed.')
    },
  },
  test_missing_capability: {
    description: 'Needs a client that can sample',
    run: (_, context, { server }) => {
      if (capabilitiesOf(context, server).sampling) return say('The client can sample.')
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    },
  },
  test_custom_header: {
    description: 'Answers with the region, which is mirrored into a header',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: ({ region }) => say(`Region: ${region}`),
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: schema2020,
    run: (input) => say(JSON.stringify(input)),
  },
  test_trigger_tool_change: {
    description: 'Adds or takes away a tool',
    run: (_, context, { shared }) => {
      shared.toggle('tool')
      return say('The list of tools has changed.')
    },
  },
  test_trigger_prompt_change: {
    description: 'Adds or takes away a prompt',
    run: (_, context, { shared }) => {
      shared.toggle('prompt')
      return say('The list of prompts has changed.')
    },
  },
  test_trigger_resource_update: {
    description: 'Changes the watched resource',
    run: (_, context, { shared }) => {
      shared.touch('test://watched-resource')
      return say('The watched resource has changed.')
    },
  },
}

function embedded(uri, mimeType, text) {
  return { type: 'resource', resource: { uri, mimeType, text } }
}

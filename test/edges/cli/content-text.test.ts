import { expect, it } from 'vitest'
import { saveHints } from '../../../src/edges/cli/calls/save-hint.js'
import { contentText } from '../../../src/edges/cli/terminal/content-text.js'

const KEPT = 'toolcrib://invocations/inv_1/blocks/0'

it('names blocks that are no text in a line', () => {
  const blocks = [
    { type: 'text', text: 'Here:' },
    { type: 'image', media_type: 'image/png', data: Buffer.alloc(3000).toString('base64'), annotations: {} },
    { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
    { type: 'embedded_resource', resource: { uri: 'file:///b.bin', mimeType: 'x/y', blob: 'AAAA' } },
    { type: 'embedded_resource', resource: { uri: 'file:///c.txt', text: 'inside' } },
    { type: 'audio', media_type: 'audio/wav', size_bytes: 12_000, uri: KEPT },
    { type: 'structured_content', toolcrib: { mcp: { type: 'video', mimeType: 'video/mp4', data: 'AAAA' } } },
    { type: 'structured_content', structured_content: { picture: 'A'.repeat(4000), name: 'a' } },
  ]
  expect(contentText({ model_facing_content: blocks } as never)).toBe(
    'Here:\n[image, image/png, 3.0 KB]\n[link, a, file:///a.txt]\n[resource, file:///b.bin, x/y, 3 bytes]\ninside\n' +
      `[audio, audio/wav, 12 KB, ${KEPT}]\n[video, video/mp4, 3 bytes]\n` +
      '{"type":"structured_content","structured_content":{"picture":"[base64, 3.0 KB]","name":"a"}}',
  )
})

it('prints how each image or file is saved', () => {
  const image = { type: 'image', media_type: 'image/jpeg', data: 'AAAA' }
  const kept = { ...image, data: undefined, size_bytes: 12_000, uri: KEPT }
  const text = { type: 'text', text: 'Here:' }
  const hints = (...content: object[]): string[] => saveHints({ content } as never)
  expect(hints(image)).toEqual(['image/jpeg, 3 bytes; save it with: toolcrib read last --out image.jpg'])
  expect(hints(text, kept)).toEqual([
    `image/jpeg, 12 KB; save it with: toolcrib read ${KEPT} --out image-2.jpg`,
  ])
  const zip = { type: 'embedded_resource', resource: { uri: 'a', mimeType: 'application/zip', blob: 'AAAA' } }
  expect(hints(zip)).toEqual([
    'application/zip, 3 bytes; save it with: toolcrib read last --out resource.zip',
  ])
  expect(hints(text)).toEqual([])
  expect(hints({ type: 'resource_link', uri: 'file:///a', name: 'a' })).toEqual([])
})

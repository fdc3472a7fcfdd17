import { expect, it } from 'vitest'
import { contentText } from '../../src/edges/cli/content-text.js'

it('names what is no text in a line', () => {
  const blocks = [
    { type: 'text', text: 'Here:' },
    { type: 'image', media_type: 'image/png', data: Buffer.alloc(3000).toString('base64'), annotations: {} },
    { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
    { type: 'embedded_resource', resource: { uri: 'file:///b.bin', mimeType: 'x/y', blob: 'AAAA' } },
    { type: 'embedded_resource', resource: { uri: 'file:///c.txt', text: 'inside' } },
  ]
  expect(contentText({ model_facing_content: blocks } as never)).toBe(
    'Here:\n[image, image/png, 3.0 KB]\n[link, a, file:///a.txt]\n[resource, file:///b.bin, x/y, 3 bytes]\ninside',
  )
})

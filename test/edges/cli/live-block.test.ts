import { describe, expect, it } from 'vitest'
import { createLiveBlock } from '../../../src/edges/cli/terminal/live-block.js'
import { readScreen } from './read-screen.js'

describe('a live block', () => {
  it('replaces all its lines after the terminal has echoed ^C', () => {
    let written = ''
    const block = createLiveBlock({ columns: 80, write: (text) => (written += String(text)) !== '' })
    block.draw(['first 1', 'second 1'])
    written += '^C'
    block.draw(['first 2', 'second 2'])
    expect(readScreen(written).lines).toEqual(['first 2', 'second 2'])
  })

  it('keeps the text before it on the line where it is drawn first', () => {
    let written = 'text'
    const block = createLiveBlock({ columns: 80, write: (text) => (written += String(text)) !== '' })
    block.draw([' and a line'])
    expect(readScreen(written).lines).toEqual(['text and a line'])
  })
})

import type { Verdict } from '../decision.js'

type Carried = Pick<Verdict, 'updated_input' | 'content_blocks' | 'accept_feedback'>

/**
 * The parts of a verdict that stay when a stricter one replaces it: the updated input and the content for the model.
 * Without them, the original input would run.
 */
export function carriedWith({ updated_input, content_blocks, accept_feedback }: Verdict): Carried {
  return {
    ...(updated_input !== undefined && { updated_input }),
    ...(content_blocks && { content_blocks }),
    ...(accept_feedback !== undefined && { accept_feedback }),
  }
}

export function carriesAnything({ updated_input, content_blocks, accept_feedback }: Verdict): boolean {
  return updated_input !== undefined || content_blocks !== undefined || accept_feedback !== undefined
}

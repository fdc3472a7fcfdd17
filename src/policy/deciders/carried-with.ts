import type { Verdict } from '../decision.js'

type Carried = Pick<Verdict, 'updated_input' | 'content_blocks' | 'accept_feedback'>

/**
 * What a verdict wants beside its behaviour, for whoever puts a stricter one in its place: the input that is to run
 * instead, and what is said with it. Dropped, the original input would run.
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

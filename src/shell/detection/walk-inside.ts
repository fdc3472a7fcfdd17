import { forEachChild, type SyntaxNode } from 'unbash'
import { noteEvaluation } from './note-evaluation.js'
import type { Trace } from './trace.js'

/** Walks the commands inside a word, an expression or a here-document. */
export function walkInside(node: SyntaxNode, trace: Trace): void {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script) trace.engine.walkApart(node.script, trace)
      else trace.hide('A part of it cannot be parsed.')
      return
    default:
      noteEvaluation(node, trace)
      forEachChild(node, (child) => walkInside(child, trace))
  }
}

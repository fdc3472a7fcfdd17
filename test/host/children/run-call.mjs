import { order } from '../../../dist/pipeline/order.js'
import { beginCall, Walk } from '../../../dist/pipeline/run-call.js'

/** Runs a call to its end, or to just before a phase. */
export function runCall(call, run, until) {
  const place = until === undefined ? order.length : order.findIndex(({ name }) => name === until)
  return new Promise((resolve, reject) => {
    class WalkToPhase extends Walk {
      get until() {
        return place
      }
      onEnd() {
        resolve(call)
      }
      onSuspend() {
        resolve(call)
      }
      onBroken(error) {
        reject(error)
      }
    }
    beginCall(new WalkToPhase(call, run))
  })
}

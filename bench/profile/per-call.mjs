/** The weights of a whole profile, divided by the number of its calls. */
export function perCall({ total, byFolder, byPhase }, calls) {
  const divide = (map) => new Map([...map].map(([key, value]) => [key, value / calls]))
  return { total: total / calls, byFolder: divide(byFolder), byPhase: divide(byPhase) }
}

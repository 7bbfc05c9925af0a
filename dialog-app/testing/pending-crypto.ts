/** How much of the engine's crypto is under way: it works on threads of its own, which no turn of the loop waits for. */
let running = 0
export const isCryptoRunning = () => running > 0

const { subtle } = globalThis.crypto
const names = Object.getOwnPropertyNames(Object.getPrototypeOf(subtle)).filter(
  (name) => name !== 'constructor',
)
for (const name of names) {
  const original: unknown = Reflect.get(subtle, name)
  if (typeof original !== 'function') continue
  Object.defineProperty(subtle, name, {
    configurable: true,
    value(...given: unknown[]) {
      const answer: unknown = Reflect.apply(original, subtle, given)
      if (answer instanceof Promise) {
        running += 1
        const end = () => {
          running -= 1
        }
        answer.then(end, end)
      }
      return answer
    },
  })
}

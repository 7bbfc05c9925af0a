/** Loads the second factors on demand, because most calls need none. */
import type { Factor, FactorAnswer, FactorCall, WalletPorts } from '../shares/ports.ts'
import type { Mfa } from './mfa.ts'

export function createSecondFactor(ports: Pick<WalletPorts, 'api'>) {
  let loaded: Mfa | undefined

  async function load(): Promise<Mfa> {
    const { createMfa } = await import('./mfa.ts')
    loaded ??= createMfa(ports)
    return loaded
  }

  return {
    load,
    async use<Answer>(
      call: FactorCall,
      factorAnswer: FactorAnswer,
      ask: (factor: Factor) => Promise<Answer>,
    ): Promise<Answer> {
      const mfa = factorAnswer.mfaMethod === undefined ? loaded : await load()
      return mfa ? mfa.use(call, factorAnswer, ask) : ask({})
    },
    forget: (operationId: string) => loaded?.forget(operationId),
    clear: () => loaded?.clear(),
  }
}

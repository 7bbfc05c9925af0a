/** Adds funds to a wallet: by card at a provider, or sent to its address. */
import { createCall, createScreenCall } from '../../app/screen-stack.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { createFunding, type FundingRequest, type FundingServices, fundingAtom } from './create-funding.ts'
import { endByClose, type Funded, getFunded } from './payment.ts'
import { promptScreen, receiveScreen, statusScreen } from './screens.ts'

export const createFundingCall =
  (services: FundingServices, request: FundingRequest): Flow<Funded> =>
  (handle) => {
    const funding = createFunding(services, request, handle.signal)
    const state = () => funding.store.get(fundingAtom)
    const call = createCall<Funded>(
      services,
      { kind: 'approval', onClose: () => endByClose(state()), onBack: () => done(getFunded(state())) },
      async ({ open, interrupt }) => {
        funding.watchChain().catch(() => {})
        const first = open(funding.canBuy ? promptScreen : receiveScreen, { funding })
        if (funding.canBuy) {
          if (funding.resume())
            interrupt(createScreenCall(services, statusScreen, { funding })).catch(funding.fail)
          void funding.prepare()
        }
        await Promise.race([first, funding.finished])
        return getFunded(state())
      },
    )
    return call(handle)
  }

import { config } from 'printed:wagmi'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { offerFacts } from './conformance-client.ts'
import { offerWagmi, show } from './wagmi-client.tsx'

const library = { ...wagmi, ...actions } as never
offerWagmi(library, config as never, offerFacts(library), 'latchkey')
show(library, config as never, (content) => content)

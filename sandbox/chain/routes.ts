import { type Route, sendJson } from '../http.ts'
import { pageRoute } from '../pages/routes.ts'
import { type Chain, chainId } from './anvil.ts'
import { chainPage, createRpcClient, getBlockNumber, noChainPage } from './page.ts'

export const chainRoutes = (chain: Chain | undefined, host: string, usd: () => number): readonly Route[] => {
  const about: Route = {
    method: 'GET',
    path: /^\/api\/chain$/,
    handle: ({ response }) => sendJson(response, chain === undefined ? null : { chainId, port: chain.port }),
  }
  if (chain === undefined) return [about, pageRoute(/^\/chain$/, noChainPage)]
  const url = `http://${host}:${chain.port}`
  const rpc = createRpcClient(url)
  return [
    about,
    {
      method: 'GET',
      path: /^\/api\/chain\/head$/,
      handle: async ({ response }) => sendJson(response, { block: await getBlockNumber(rpc), usd: usd() }),
    },
    pageRoute(/^\/chain$/, () => chainPage({ rpc, chainId, url, usd: usd() })),
  ]
}

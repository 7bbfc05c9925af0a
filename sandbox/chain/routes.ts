import { type Route, sendJson } from '../http.ts'
import { pageRoute } from '../pages/routes.ts'
import { type Chain, chainId } from './anvil.ts'
import { askChainAt, chainPage, newestBlock, withoutChainPage } from './page.ts'

export const chainRoutes = (chain: Chain | undefined, host: string, usd: () => number): readonly Route[] => {
  const about: Route = {
    method: 'GET',
    path: /^\/api\/chain$/,
    handle: ({ response }) => sendJson(response, chain === undefined ? null : { chainId, port: chain.port }),
  }
  if (chain === undefined) return [about, pageRoute(/^\/chain$/, withoutChainPage)]
  const url = `http://${host}:${chain.port}`
  const ask = askChainAt(url)
  return [
    about,
    {
      method: 'GET',
      path: /^\/api\/chain\/head$/,
      handle: async ({ response }) => sendJson(response, { block: await newestBlock(ask), usd: usd() }),
    },
    pageRoute(/^\/chain$/, () => chainPage({ ask, chainId, url, usd: usd() })),
  ]
}

/** Serves the built dashboard. It contains no data: its pages call the Admin API with the operator's session. */
import type { Context, Hono } from 'hono'
import { watchBuiltFolder } from '../../kernel/built-files.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import type { HttpEnv } from '../../kernel/http/mount.ts'
import { dashboardPolicy } from '../../kernel/http/pages/headers.ts'
import { notModified, serveFile } from '../../pages/pages/pages.ts'

const pageHeaders = {
  'content-security-policy': dashboardPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Every other path is a screen of the dashboard, which its router chooses. */
const isScreen = (path: string) => !path.startsWith('/admin/') && !path.includes('.')

export function mountDashboard(hono: Hono<HttpEnv>, { dashboardDist }: ServerConfig): void {
  const folder = watchBuiltFolder(dashboardDist, 'index.html')

  hono.get('/*', async (c, next) => {
    const file = folder.file(c.req.path)
    if (file) {
      c.set('pattern', '/{file}')
      const served = { file, cache: file.hashed ? ('immutable' as const) : ('revalidated' as const) }
      return notModified(c, served) ?? serveFile(served)(c, next)
    }
    return isScreen(c.req.path) ? answerPage(c) : next()
  })

  function answerPage(c: Context<HttpEnv>): Response {
    c.set('pattern', '/{screen}')
    const page = folder.page('/index.html')
    if (page === undefined) throw new AdminError('unavailable', 'The dashboard is not built')
    return c.html(page, 200, { ...pageHeaders, 'cache-control': 'no-cache' })
  }
}

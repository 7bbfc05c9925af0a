import { getAuth, latchkeyAuth } from '@latchkey/server/fastify'
import fastify from 'fastify'
import { latchkey, page, port } from './latchkey.ts'

const app = fastify()

app.get('/', (_request, reply) => reply.type('text/html').send(page))

app.register(async (api) => {
  api.addHook('onRequest', latchkeyAuth(latchkey))
  api.get('/api/me', async (request) => ({ userId: getAuth(request)?.userId }))
})

await app.listen({ port })
console.log(`http://localhost:${port}`)

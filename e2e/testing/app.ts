/** The app under test: one page that greets, signs and sends. */
import { createServer } from 'node:http'

const { PORT, APP_ID = '', DIALOG_URL = '' } = process.env

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Fieldnotes</title>
    <link rel="icon" href="data:," />
    <script src="${DIALOG_URL}/loader/v1/loader.js" data-app-id="${APP_ID}" async></script>
  </head>
  <body>
    <p id="greeting">Hello nobody</p>
    <button data-call="login">Log in</button>
    <button data-call="logout">Log out</button>
    <button data-call="signMessage">Sign</button>
    <button data-call="sendTransaction">Send</button>
    <p id="answer"></p>
    <script type="module">
      const arguments_ = {
        signMessage: ['Two herons at the lower pond'],
        sendTransaction: [{ to: '0x00000000000000000000000000000000000a11ce', value: '0x1', chainId: 31337 }],
      }
      const text = (id, value) => { document.getElementById(id).textContent = value }
      const ready = setInterval(() => {
        if (!window.latchkey) return
        clearInterval(ready)
        const greet = ({ user }) => text('greeting', 'Hello ' + (user ? user.displayName : 'nobody'))
        for (const event of ['login', 'logout', 'user']) latchkey.on(event, greet)
        for (const button of document.querySelectorAll('button')) {
          const { call } = button.dataset
          button.addEventListener('click', async () => {
            text('answer', '')
            try {
              text('answer', call + ' ' + JSON.stringify(await latchkey[call](...(arguments_[call] ?? []))))
            } catch ({ code }) {
              text('answer', call + ' ' + code)
            }
          })
        }
      }, 20)
    </script>
  </body>
</html>`

createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page)).listen(
  Number(PORT),
)

const { origin, returnTo, result } = document.currentScript.dataset
if (window.opener) {
  const message = { event: 'auth_result', result: JSON.parse(result), origin }
  window.opener.postMessage(JSON.stringify(message), origin)
  window.close()
} else {
  const bytes = String.fromCharCode(...new TextEncoder().encode(result))
  const encoded = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  window.location.replace(`${returnTo}#tgAuthResult=${encoded}`)
}

// The dialog that opened this window is on this very origin; nobody else is told anything.
const { message } = document.currentScript.dataset
window.opener?.postMessage(JSON.parse(message), window.location.origin)
window.close()
// Chromium may lose what is asked of a page that is still loading.
window.addEventListener('load', () => window.close())

window.close()
// Chromium may lose what is asked of a page that is still loading.
window.addEventListener('load', () => window.close())

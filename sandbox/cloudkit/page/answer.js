// As CloudKit JS expects it: whoever opened this page is told the session.
window.opener?.postMessage({ ckSession: document.currentScript.dataset.session }, '*')

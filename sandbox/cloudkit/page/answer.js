// Posts the session to the opener, as CloudKit JS expects.
window.opener?.postMessage({ ckSession: document.currentScript.dataset.session }, '*')

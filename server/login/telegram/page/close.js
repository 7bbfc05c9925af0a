window.close()

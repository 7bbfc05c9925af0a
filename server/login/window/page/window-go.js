// A form's answer may not redirect to another origin under the policy of these pages.
location.replace(document.currentScript.dataset.to)

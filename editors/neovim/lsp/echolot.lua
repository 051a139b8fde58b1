-- The language server, as Neovim 0.11's vim.lsp.config reads it. `require('echolot').setup()` enables it; without the plugin's
-- commands, `vim.lsp.enable('echolot')` alone works too.
return require('echolot.server').config()

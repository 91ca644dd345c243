import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const onlyTypes = {
  paths: [{ name: 'vscode', message: 'Only src/editor.ts may load vscode; import types, and take an Editor.', allowTypeImports: true }],
};

export default tseslint.config(
  { ignores: ['dist/**', 'bundled/**', '.test-out/**', '.stack/**', '.build/**', 'test/e2e/.out/**', '**/node_modules/**'] },
  js.configs.recommended,
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: Object.fromEntries(['process', 'console', 'URL', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Buffer', 'document', 'window', 'navigator', 'getComputedStyle'].map((n) => [n, 'readonly'])) },
  },
  { files: ['test/e2e/{support,python}/*.js'], languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly', exports: 'writable', process: 'readonly', TextEncoder: 'readonly' } } },
  {
    files: ['src/**/*.ts', 'test/unit/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', onlyTypes],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', name: ['test', 'suite', 'describe', 'it'], package: 'node:test' }] }],
      // The editor's classes are interfaces to their users; anything with a dispose() is a Disposable.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['src/editor.ts'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
);

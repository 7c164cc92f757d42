public import SwiftSyntax
public import SwiftSyntaxMacros

internal import SwiftSyntaxBuilder

/// Stands in for the macro that `@State` is with Xcode 27: a property gets accessors, and beside it
/// storage and a binding.
///
/// Swift 6.4 leaves private properties with a value out of the initializer that it adds to a
/// structure. Swift 6.3 does so with constants: a value is kept in these.
public struct StateMacro: AccessorMacro, PeerMacro {
  public static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = Property(declaration) else { return [] }
    let initializer: AccessorDeclSyntax = """
      @storageRestrictions(initializes: _\(raw: property.name))
      init(initialValue) { _\(raw: property.name) = SwiftUI.StubStateStorage(initialValue) }
      """
    return (property.value == nil ? [initializer] : []) + [
      "get { _\(raw: property.name).value }",
      "nonmutating set { _\(raw: property.name).value = newValue }",
    ]
  }

  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = Property(declaration) else { return [] }
    let name = property.name
    let storage = "SwiftUI.StubStateStorage" + (property.type.map { "<\($0)>" } ?? "")
    guard let value = property.value else {
      return [
        "private var _\(raw: name): \(raw: storage)",
        "private var $\(raw: name): \(raw: storage).Projection { _\(raw: name).binding }",
      ]
    }
    return [
      "private let _\(raw: name) = \(raw: storage)(\(raw: value))",
      "private let $\(raw: name) = \(raw: storage)(\(raw: value)).binding",
    ]
  }
}

/// A property as it is written.
private struct Property {
  let name: String
  let type: String?
  let value: String?

  init?(_ declaration: some DeclSyntaxProtocol) {
    guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first else { return nil }
    name = binding.pattern.trimmedDescription
    type = binding.typeAnnotation?.type.trimmedDescription
    let isOptional = type?.hasSuffix("?") ?? false
    value = binding.initializer?.value.trimmedDescription ?? (isOptional ? "nil" : nil)
  }
}

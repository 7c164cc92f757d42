internal import Foundation

/// Why a mutation was not sent, as it is stored and shown.
struct MutationFailure: Codable, Equatable, Sendable {
  let message: String
  let advice: String?
  let action: String?
  /// Whether this version of the app has no sender for the mutation, or cannot read it.
  let isUnreadable: Bool

  init(_ error: any Error, isRetriedByItself: Bool = false) {
    let notice = ErrorNotice(ofChange: error, isRetriedByItself: isRetriedByItself)
    (message, advice) = (notice.message, notice.advice)
    action = notice.action?.rawValue
    isUnreadable = (error as? OutboxError)?.isUnreadable ?? false
  }

  /// The failure as a screen shows it.
  var notice: ErrorNotice {
    ErrorNotice(
      message: message, advice: advice, action: action.flatMap(ErrorNotice.Action.init(rawValue:)))
  }
}
